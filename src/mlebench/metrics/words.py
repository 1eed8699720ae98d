"""Split texts of any length into words within bounded memory."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PORTION = 2**20
"""Characters that are split together. A list of all words takes up to forty times the memory of their text."""
BLANK = re.compile(r"\s")


def split_in_portions(text: str, separator: str | None = None) -> Iterator[list[str]]:
    """Yield the words of `text.split(separator)` in several lists.

    Parameters
    ----------
    text
        A text. The empty one has no words, whatever the separator.
    separator
        Text between words; by default any white space.

    Examples
    --------
    >>> list(split_in_portions("a  b", " "))
    [['a', '', 'b']]
    """
    if not text:
        return
    gap = BLANK if separator is None else re.compile(re.escape(separator))
    place = 0
    while found := gap.search(text, place + PORTION):
        yield text[place : found.start()].split(separator)
        place = found.end()
    yield text[place:].split(separator)


def split_words(text: str) -> Iterator[str]:
    """Return an iterator over the words of `text.split()`."""
    return iter(text.split()) if len(text) <= PORTION else chain.from_iterable(split_in_portions(text))
