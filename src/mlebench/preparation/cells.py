"""Which cells of a CSV text pandas would print as they stand, found without parsing a single number.

A decimal of at most 15 significant digits is the shortest one of its float, so whether such a cell is printed as it
stands can be read off its characters. What cannot be decided so is marked, and printed anew by pandas itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    Bytes = np.ndarray[Any, np.dtype[np.uint8]]
    Positions = np.ndarray[Any, np.dtype[np.int64]]
    Kinds = np.ndarray[Any, np.dtype[np.int8]]


class Kind(IntEnum):
    """What a cell looks like."""

    EMPTY = 0
    WHOLE = 1
    """A whole number as pandas prints it."""
    DECIMAL = 2
    """A decimal as pandas prints it."""
    ODD_NUMBER = 3
    """A number in another form, or in one that characters alone do not decide."""
    MISSING = 4
    """A word that pandas takes for a missing value."""
    TRUTH = 5
    """`True` or `False`."""
    ODD_TRUTH = 6
    TEXT = 7


MISSING_WORDS = "#N/A,#N/A N/A,#NA,-1.#IND,-1.#QNAN,-NaN,-nan,1.#IND,1.#QNAN,<NA>,N/A,NA,NULL,NaN,None,n/a,nan,null"
SPECIAL_WORDS = {
    **dict.fromkeys(MISSING_WORDS.split(","), Kind.MISSING),
    **dict.fromkeys(("True", "False"), Kind.TRUTH),
    **dict.fromkeys(("TRUE", "FALSE", "true", "false"), Kind.ODD_TRUTH),
    **dict.fromkeys(
        (sign + word for sign in ("", "+", "-") for word in ("inf", "Inf", "INF", "infinity", "Infinity", "INFINITY")),
        Kind.ODD_NUMBER,
    ),
}
WIDEST_WORD = max(map(len, SPECIAL_WORDS))
EXACT_DIGITS = 15
SAFE_WHOLE_DIGITS = 18

PROBE = 4096
"""Bytes that mostly tell whether a text holds anything but whole numbers."""

ZERO, DOT, MINUS = ord("0"), ord("."), ord("-")
DIGIT, POINT, OTHER_OF_NUMBERS, OTHER = 1, 2, 4, 8
CLASSES = bytearray([OTHER]) * 256
for signs, value in ((b"0123456789", DIGIT), (b".", POINT), (b"+-eE \t", OTHER_OF_NUMBERS), (b",\n", 0)):
    for sign in signs:
        CLASSES[sign] = value
KINDS = np.array(
    [
        Kind.TEXT
        if classes & OTHER or not classes & DIGIT
        else {DIGIT: Kind.WHOLE, DIGIT | POINT: Kind.DECIMAL}.get(classes, Kind.ODD_NUMBER)
        for classes in range(2 * OTHER)
    ],
    dtype=np.int8,
)
"""What cells with these classes of signs are at first sight."""
INITIALS = np.isin(np.arange(256), [ord(word[0]) for word in SPECIAL_WORDS])


@dataclass
class ColumnKinds:
    """How many cells of each kind the columns have; row blocks are added one after the other."""

    columns: int
    counts: Positions = field(init=False)

    def __post_init__(self) -> None:
        self.counts = np.zeros((len(Kind), self.columns), dtype=np.int64)

    def add(self, kinds: Kinds) -> None:
        if is_uniform(kinds):
            self.counts[kinds[0], np.arange(self.columns)] += len(kinds)
            return
        places = kinds + np.arange(self.columns) * len(Kind)
        counts = np.bincount(places.ravel(), minlength=len(Kind) * self.columns)
        self.counts += counts.reshape(self.columns, len(Kind)).T

    def printed_as_they_stand(self) -> list[set[Kind]] | None:
        """Return for each column the kinds whose cells come out unchanged; None if a column's type is unclear."""
        safe = []
        for column in range(self.columns):
            found = {kind for kind in Kind if self.counts[kind, column]}
            if Kind.TEXT in found:
                gaps = found & {Kind.DECIMAL, Kind.EMPTY, Kind.MISSING}
                if found & {Kind.ODD_NUMBER, Kind.ODD_TRUTH} or (Kind.WHOLE in found and gaps):
                    return None  # pandas guesses the type for blocks of rows, and would print some of them anew
                safe.append({Kind.TEXT, Kind.WHOLE, Kind.DECIMAL, Kind.TRUTH, Kind.EMPTY})
            elif Kind.TRUTH in found or Kind.ODD_TRUTH in found:
                if found & {Kind.WHOLE, Kind.DECIMAL, Kind.ODD_NUMBER, Kind.ODD_TRUTH}:
                    return None
                safe.append({Kind.TRUTH, Kind.EMPTY})
            elif found <= {Kind.WHOLE}:
                safe.append({Kind.WHOLE})
            elif Kind.ODD_NUMBER in found and not found & {Kind.DECIMAL, Kind.EMPTY, Kind.MISSING}:
                return None  # whole or not, that is pandas' to say
            else:
                safe.append({Kind.DECIMAL, Kind.EMPTY})
        return safe

    def types(self) -> list[str]:
        """Return for each column the type to read it with when single rows are printed anew."""
        texts = self.counts[Kind.TEXT] + self.counts[Kind.TRUTH] > 0
        wholes = self.counts[Kind.WHOLE] == self.counts.sum(axis=0)
        return [
            "object" if text else "int64" if whole else "float64" for text, whole in zip(texts, wholes, strict=True)
        ]


def is_uniform(kinds: Kinds) -> bool:
    """Say whether kinds are those of one row, told once for all rows."""
    return kinds.strides[0] == 0


def kinds_of_rows(text: Bytes, separators: Positions) -> Kinds:
    """Return the kinds of the cells of whole rows, given the positions of the commas and line ends behind the cells.

    `separators` has the shape (rows, columns), and so has the result.
    """
    if _are_all_whole(text, separators):
        return np.broadcast_to(np.int8(Kind.WHOLE), separators.shape)
    kinds = _kinds_of_cells(text, separators.ravel()).reshape(separators.shape)
    return np.broadcast_to(kinds[0].copy(), kinds.shape) if (kinds == kinds[0]).all() else kinds


def _are_all_whole(text: Bytes, separators: Positions) -> bool:
    """Say whether all cells are whole numbers as pandas prints them; tables of these have the most cells by far."""
    for piece in (text[:PROBE], text):
        digit, minus = (piece - ZERO) < 10, piece == MINUS
        behind = (piece == ord(",")) | (piece == ord("\n"))
        if not (digit | minus | behind).all():
            return False
    if np.diff(separators.ravel(), prepend=-1).max(initial=0) > SAFE_WHOLE_DIGITS:
        return False
    begins = np.concatenate([[True], behind[:-1]])
    heads = (begins & ~minus) | np.concatenate([[False], minus[:-1]])
    zero_heads = np.flatnonzero(heads & (text == ZERO))
    misplaced = (minus & ~begins) | (heads & ~digit)
    return not (misplaced.any() or digit[zero_heads + 1].any() or minus[zero_heads - 1].any())


def _kinds_of_cells(text: Bytes, separators: Positions) -> Kinds:
    starts = np.empty_like(separators)
    starts[0], starts[1:] = 0, separators[:-1] + 1
    lengths = separators - starts
    initials = text[starts]
    minus = initials == MINUS
    classes = np.frombuffer(bytearray(text).translate(CLASSES), dtype=np.uint8)
    classes[starts[minus]] = 0  # a sign anywhere else makes an odd number
    present = np.bitwise_or.reduceat(classes, starts)
    points = _points_of_cells(classes, present, separators)
    heads = starts + minus
    digits = lengths - minus - points

    kinds = KINDS[present]
    leading = text[heads]
    zero = leading == ZERO
    whole, decimal = kinds == Kind.WHOLE, kinds == Kind.DECIMAL
    kinds[whole & ((digits > SAFE_WHOLE_DIGITS) | (zero & ((digits > 1) | minus)))] = Kind.ODD_NUMBER
    odd = decimal & ((leading == DOT) | (points > 1) | (digits > EXACT_DIGITS + zero))
    zero = np.flatnonzero(decimal & zero)
    odd[zero] |= _are_odd_below_one(text, heads[zero])
    odd |= decimal & _end_oddly(text, separators, decimal)
    kinds[odd] = Kind.ODD_NUMBER
    words = np.flatnonzero((kinds == Kind.TEXT) & (lengths <= WIDEST_WORD) & INITIALS[initials])
    kinds[words] = _kinds_of_words(text, starts[words], lengths[words])
    kinds[lengths == 0] = Kind.EMPTY
    return kinds


def _points_of_cells(classes: Bytes, present: Bytes, separators: Positions) -> Positions:
    """Return the number of points in each cell: hardly ever more than one, which is cheap to prove."""
    places = classes == POINT
    points: Positions = ((present & POINT) != 0).astype(np.int64)
    if np.count_nonzero(places) > points.sum():
        points = np.bincount(np.searchsorted(separators, np.flatnonzero(places)), minlength=len(separators))
    return points


def _are_odd_below_one(text: Bytes, heads: Positions) -> Any:
    """Say which decimals that begin with a zero are not printed so: `00.5`, and `0.00001` for its exponent."""
    odd: Any = text[heads + 1] != DOT
    tiny = np.flatnonzero(~odd)
    for place in (2, 3, 4, 5):
        tiny = tiny[text[np.minimum(heads[tiny] + place, len(text) - 1)] == ZERO]
    odd[tiny] = True
    return odd


def _end_oddly(text: Bytes, separators: Positions, decimal: Any) -> Any:
    """Say which cells end as no decimal is printed: with a point, or a zero that is not the only digit behind it."""
    last = text[separators - 1]
    odd = last == DOT
    zero = np.flatnonzero(decimal & (last == ZERO))
    odd[zero] = text[separators[zero] - 2] != DOT
    return odd


def _kinds_of_words(text: Bytes, starts: Positions, lengths: Positions) -> Any:
    offsets = np.arange(WIDEST_WORD)
    letters = text[np.minimum(starts[:, np.newaxis] + offsets, len(text) - 1)]
    letters[offsets >= lengths[:, np.newaxis]] = 0
    words = np.ascontiguousarray(letters).view(f"S{WIDEST_WORD}").ravel()
    kinds = np.full(len(words), Kind.TEXT, dtype=np.int8)
    for word, kind in SPECIAL_WORDS.items():
        kinds[words == word.encode()] = kind
    return kinds
