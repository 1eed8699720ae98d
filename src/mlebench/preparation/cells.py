"""Which cells of a CSV text pandas would print as they stand, found without parsing a single number.

A decimal of at most 15 significant digits is the shortest one of its float, so whether such a cell is printed as it
stands can be read off its characters. What cannot be decided so is marked, and printed anew by pandas itself.
"""

from __future__ import annotations

from enum import IntFlag
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    Bytes = np.ndarray[Any, np.dtype[np.uint8]]
    Positions = np.ndarray[Any, np.dtype[np.int64]]
    Kinds = np.ndarray[Any, np.dtype[np.uint8]]
    Flags = np.ndarray[Any, np.dtype[np.bool_]]


class Kind(IntFlag):
    """What a cell looks like: one bit each, so that a byte says which kinds a column has."""

    EMPTY = 1
    WHOLE = 2
    """A whole number as pandas prints it."""
    DECIMAL = 4
    """A decimal as pandas prints it."""
    ODD_NUMBER = 8
    """A number in another form, or in one that characters alone do not decide; or what only looks like a number."""
    MISSING = 16
    """A word that pandas takes for a missing value."""
    TRUTH = 32
    """`True` or `False`."""
    ODD_TRUTH = 64
    TEXT = 128


GAPS = Kind.EMPTY | Kind.MISSING


MISSING_WORDS = "#N/A,#N/A N/A,#NA,-1.#IND,-1.#QNAN,-NaN,-nan,1.#IND,1.#QNAN,<NA>,N/A,NA,NULL,NaN,None,n/a,nan,null"
WORDS = {
    **dict.fromkeys(MISSING_WORDS.split(","), Kind.MISSING),
    **dict.fromkeys(("True", "False"), Kind.TRUTH),
}
WORDS_IN_ANY_CASE = {
    **dict.fromkeys(("true", "false"), Kind.ODD_TRUTH),
    **dict.fromkeys((sign + word for word in ("inf", "infinity") for sign in ("", "+", "-")), Kind.ODD_NUMBER),
}
"""Words that pandas takes for something else than text in small and in large letters."""
WIDEST_WORD = max(map(len, [*WORDS, *WORDS_IN_ANY_CASE]))
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
    dtype=np.uint8,
)
"""What cells with these classes of signs are at first sight."""
INITIALS = np.isin(np.arange(256), [ord(word[0]) for word in [*WORDS, *WORDS_IN_ANY_CASE, "INF", "TRUE", "FALSE"]])


def kinds_as_they_stand(found: Kinds) -> Kinds | None:
    """Return for each column the kinds whose cells come out unchanged, given those that it has.

    None if the type that pandas gives to a column is unclear.
    """
    safe = [_as_they_stand(Kind(kinds)) for kinds in found.tolist()]
    return None if None in safe else np.array(safe, dtype=np.uint8)


def _as_they_stand(found: Kind) -> Kind | None:
    if found & Kind.TEXT:
        if found & (Kind.ODD_NUMBER | Kind.ODD_TRUTH) or (found & Kind.WHOLE and found & (GAPS | Kind.DECIMAL)):
            return None  # pandas guesses the type for blocks of rows, and would print some of them anew
        return Kind.TEXT | Kind.WHOLE | Kind.DECIMAL | Kind.TRUTH | Kind.EMPTY
    if found & (Kind.TRUTH | Kind.ODD_TRUTH):
        return None if found & ~(Kind.TRUTH | GAPS) else Kind.TRUTH | Kind.EMPTY
    if found == Kind.WHOLE:
        return Kind.WHOLE
    if found & Kind.ODD_NUMBER and not found & (GAPS | Kind.DECIMAL):
        return None  # whole or not, that is pandas' to say
    return Kind.DECIMAL | Kind.EMPTY


def kinds_found(kinds: Kinds) -> Kinds:
    """Return the kinds that each column has."""
    rows = kinds[:1] if is_uniform(kinds) else kinds
    found: Kinds = np.bitwise_or.reduce(rows, axis=0)
    return found


def rows_with_others(kinds: Kinds, safe: Kinds) -> Flags:
    """Say which rows have a cell of another kind than those given for its column."""
    rows = kinds[:1] if is_uniform(kinds) else kinds
    return np.broadcast_to(np.bitwise_or.reduce(rows & ~safe, axis=1) > 0, len(kinds))


def is_uniform(kinds: Kinds) -> bool:
    """Say whether kinds are those of one row, told once for all rows."""
    return kinds.strides[0] == 0


def kinds_of_rows(text: Bytes, separators: Positions) -> Kinds:
    """Return the kinds of the cells of whole rows, given the positions of the commas and line ends behind the cells.

    `separators` has the shape (rows, columns), and so has the result.
    """
    if _are_all_whole(text, separators):
        return np.broadcast_to(np.uint8(Kind.WHOLE), separators.shape)
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


def _are_odd_below_one(text: Bytes, heads: Positions) -> Flags:
    """Say which decimals that begin with a zero are not printed so: `00.5`, and `0.00001` for its exponent."""
    odd: Flags = text[heads + 1] != DOT
    tiny = np.flatnonzero(~odd)
    for place in (2, 3, 4, 5):
        tiny = tiny[text[np.minimum(heads[tiny] + place, len(text) - 1)] == ZERO]
    odd[tiny] = True
    return odd


def _end_oddly(text: Bytes, separators: Positions, decimal: Flags) -> Flags:
    """Say which cells end as no decimal is printed: with a point, or a zero that is not the only digit behind it."""
    last = text[separators - 1]
    odd: Flags = last == DOT
    zero = np.flatnonzero(decimal & (last == ZERO))
    odd[zero] = text[separators[zero] - 2] != DOT
    return odd


def _kinds_of_words(text: Bytes, starts: Positions, lengths: Positions) -> Kinds:
    offsets = np.arange(WIDEST_WORD)
    letters = text[np.minimum(starts[:, np.newaxis] + offsets, len(text) - 1)]
    letters[offsets >= lengths[:, np.newaxis]] = 0
    words = np.ascontiguousarray(letters).view(f"S{WIDEST_WORD}").ravel()
    kinds = np.full(len(words), Kind.TEXT, dtype=np.uint8)
    for known, spelled in ((WORDS_IN_ANY_CASE, np.char.lower(words)), (WORDS, words)):
        for word, kind in known.items():
            kinds[spelled == word.encode()] = kind
    return kinds
