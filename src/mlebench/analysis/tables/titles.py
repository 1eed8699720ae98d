"""Titles that say what the numbers are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlebench.analysis.model import Summary


def title(summary: Summary, text: str) -> str:
    """Return a title that says if this is a rehearsal, or if competitions were left out on request."""
    kinds = sorted({kind for problems in summary.left_out.values() for kind in problems})
    part = f", without competitions with known problems ({', '.join(kinds)})" if kinds else ""
    return mark_rehearsal(summary, f"{text}{part}")


def mark_rehearsal(summary: Summary, text: str) -> str:
    """Return a title that says if this is a rehearsal."""
    return f"{text} (rehearsal: not a result)" if summary.basis == "rehearsal" else text
