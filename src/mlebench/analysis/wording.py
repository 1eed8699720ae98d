"""Numbers and foreign texts as people read them, in the terminal and on pages."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sized

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
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def hours_text(seconds: float) -> str:
    """Return a limit of time in the unit that people set it in."""
    for length, unit in ((3600, "h"), (60, "min")):
        if seconds >= length:
            return f"{seconds / length:.4g} {unit}"
    return f"{seconds:g} s"


def count_text(things: Sized | int, noun: str) -> str:
    """Return a number with its noun in the right form."""
    number = things if isinstance(things, int) else len(things)
    return f"{number:,} {noun}{'' if number == 1 else 's'}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def extent_text(agent: AgentSummary) -> str:
    """Return how much an agent's means are made of, and what is missing."""
    counted, of = len(agent.seeds_counted), len(agent.seeds)
    seeds = count_text(of, "seed") if counted == of else f"{counted} of {count_text(of, 'seed')}"
    missing = f", {count_text(agent.runs_missing, 'run')} missing" if agent.runs_missing else ""
    return f"{seeds} × {count_text(agent.competitions, 'competition')}{missing}"


def bytes_text(size: int) -> str:
    """Return a size in the largest binary unit that it fills."""
    for exponent, unit in ((40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if size >= 1 << exponent:
            return f"{size / (1 << exponent):.4g} {unit}"
    return f"{size} bytes"


def ordinal_text(place: int) -> str:
    """Return 1st, 2nd, 3rd, 4th and so on."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def printable(text: str, *, limit: int = 2000) -> str:
    """Return a text of unknown origin without what could move a cursor, turn the line around or flood a page.

    Reasons quote submissions, which are written by agents; a terminal would obey the escape sequences in
    them, and a browser the signs that change the direction of writing.
    """
    shown = "".join(character if character.isprintable() else " " for character in text[:limit])
    return f"{shown} …" if len(text) > limit else shown
