"""Numbers in other forms than pandas prints, and how they come out of a column of floats."""

from __future__ import annotations

import re

from mlebench.preparation.cells import EXACT_DIGITS, ZERO

NUMBER = re.compile(
    rb"[ \t]*[+-]?(?:\d{1,200}\.\d{0,200}|\.\d{1,200})(?:[eE][+-]?\d\d?)?[ \t]*"
    rb"|[ \t]*[+-]?\d{1,200}[eE][+-]?\d\d?[ \t]*"
    rb"|[ \t]*(?!-0+[ \t]*$)[+-]?\d{1,18}[ \t]*"
    rb"|(?i:[+-]?inf(?:inity)?)"
)
"""A text that every pandas takes for a float, or for a whole number that becomes the same float among floats: of longer
ones it may make text, of -0 it makes 0 before all decimals, and of what no float can hold one makes text, another inf.
"""


def is_number(text: bytes, start: int, stop: int) -> bool:
    """Say whether a cell of a text is surely a number to pandas."""
    return NUMBER.fullmatch(text, start, stop) is not None


def printed_as_float(cell: bytes) -> bytes:
    """Return what pandas prints for such a number: the fewest digits that tell it from all other floats."""
    if cell.isdigit() and len(cell) <= EXACT_DIGITS and cell[0] != ZERO:  # most are, and this is quick
        return cell + b".0"
    return repr(float(cell)).encode()
