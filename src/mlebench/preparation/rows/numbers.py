"""Numbers that pandas reads but prints in another form, and the form that it prints."""

from __future__ import annotations

import re

NUMBER = re.compile(
    rb"[ \t]*[+-]?(?:\d{1,200}\.\d{0,200}|\.\d{1,200})(?:[eE][+-]?\d\d?)?[ \t]*"
    rb"|[ \t]*[+-]?\d{1,200}[eE][+-]?\d\d?[ \t]*"
    rb"|[ \t]*(?!-0+[ \t]*$)[+-]?\d{1,18}[ \t]*"
    rb"|(?i:[+-]?inf(?:inity)?)"
)
"""A text that every version of pandas reads as a float, or as an integer that becomes the same float among floats.

Left out, since versions or neighbouring cells decide: longer numbers (text), -0 (0 or -0.0), overflow (text or inf).
"""


def is_number(text: bytes, start: int, stop: int) -> bool:
    """Whether every version of pandas reads `text[start:stop]` as a number."""
    return NUMBER.fullmatch(text, start, stop) is not None


def printed_as_float(cell: bytes) -> bytes:
    """Return what pandas prints for such a number: the shortest text of its float."""
    return repr(float(cell)).encode()
