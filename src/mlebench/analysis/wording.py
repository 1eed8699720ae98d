"""Numbers and foreign texts as people read them, in the terminal and on pages."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sized

    from mlebench.analysis.summary import Estimate

NOTHING = "–"


def score_text(score: float | None) -> str:
    """Return a score with six significant digits."""
    if score is None:
        return NOTHING
    if math.isnan(score):
        return "NaN"
    if math.isinf(score):
        return "∞" if score > 0 else "−∞"
    text = f"{score:.6g}"
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


def count_text(things: Sized | int, noun: str) -> str:
    """Return a number with its noun in the right form."""
    number = things if isinstance(things, int) else len(things)
    return f"{number:,} {noun}{'' if number == 1 else 's'}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def printable(text: str, *, limit: int = 2000) -> str:
    """Return a text of unknown origin without what could move a cursor, turn the line around or flood a page.

    Reasons quote submissions, which are written by agents; a terminal would obey the escape sequences in
    them, and a browser the signs that change the direction of writing.
    """
    shown = "".join(character if character.isprintable() else " " for character in text[:limit])
    return f"{shown} …" if len(text) > limit else shown
