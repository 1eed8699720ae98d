"""Results as text for people, in the terminal and on pages."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mlebench.ground.wording import count, format_clock

if TYPE_CHECKING:
    from mlebench.analysis.model import AgentSummary, Estimate

NOTHING = "–"
"""In place of a value that is unknown or does not exist."""


def format_score(score: float | None, digits: int = 6) -> str:
    """Return a score with a number of significant digits.

    >>> format_score(0.12345678), format_score(-1234567.0), format_score(float("inf")), format_score(None)
    ('0.123457', '−1234567', '∞', '–')
    """
    if score is None:
        return NOTHING
    if math.isnan(score):
        return "NaN"
    if math.isinf(score):
        return "∞" if score > 0 else "−∞"
    text = f"{score:.{digits}g}"
    if "e+" in text and abs(score) < 1e9:
        text = f"{score:.0f}"
    return text.replace("-", "−", 1) if text.startswith("-") else text


def format_estimate(estimate: Estimate) -> str:
    """Return a mean in percent with its standard error, if there is one."""
    if estimate.mean is None:
        return NOTHING
    error = "" if estimate.sem is None else f" ± {estimate.sem:.1f}"
    return f"{estimate.mean:.1f}{error}"


def format_time(seconds: float | None) -> str:
    """Return a duration as a clock shows it, if it is known."""
    return NOTHING if seconds is None or not math.isfinite(seconds) else format_clock(seconds)


def describe_extent(agent: AgentSummary) -> str:
    """Return how many seeds and competitions an agent's means are over, and how many runs are missing."""
    counted, total = len(agent.seeds_counted), len(agent.seeds)
    seeds = count(total, "seed") if counted == total else f"{counted} of {count(total, 'seed')}"
    missing = f", {count(agent.runs_missing, 'run')} missing" if agent.runs_missing else ""
    return f"{seeds} × {count(agent.competitions, 'competition')}{missing}"
