"""Numbers and foreign texts as people read them, in the terminal and on pages."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mlebench.ground.wording import count, format_clock

if TYPE_CHECKING:
    from mlebench.analysis.agent_summary import AgentSummary
    from mlebench.analysis.estimates import Estimate

NOTHING = "–"


def score_text(score: float | None, digits: int = 6) -> str:
    """Return a score with so many significant digits."""
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


def estimate_text(estimate: Estimate) -> str:
    """Return a mean of percentages with its standard error, where there is one."""
    if estimate.mean is None:
        return NOTHING
    error = "" if estimate.sem is None else f" ± {estimate.sem:.1f}"
    return f"{estimate.mean:.1f}{error}"


def duration_text(seconds: float | None) -> str:
    """Return hours, minutes and seconds, so that a column of them lines up."""
    if seconds is None or not math.isfinite(seconds):
        return NOTHING
    return format_clock(seconds)


def extent_text(agent: AgentSummary) -> str:
    """Return how much an agent's means are made of, and what is missing."""
    counted, of = len(agent.seeds_counted), len(agent.seeds)
    seeds = count(of, "seed") if counted == of else f"{counted} of {count(of, 'seed')}"
    missing = f", {count(agent.runs_missing, 'run')} missing" if agent.runs_missing else ""
    return f"{seeds} × {count(agent.competitions, 'competition')}{missing}"


def printable(text: str, *, limit: int = 2000) -> str:
    """Return a text of unknown origin without what could move a cursor, turn the line around or flood a page.

    Reasons quote submissions, which are written by agents; a terminal would obey the escape sequences in
    them, and a browser the signs that change the direction of writing.
    """
    shown = "".join(character if character.isprintable() else " " for character in text[:limit])
    return f"{shown} …" if len(text) > limit else shown
