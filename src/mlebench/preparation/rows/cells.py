"""Find the cells of a CSV text that pandas would print unchanged, without parsing a number.

A decimal of at most 15 significant digits is the shortest text of its float. So the characters of such a cell tell
whether pandas prints it unchanged. Cells that characters do not decide are marked, and printed by `numbers`.
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
    """What a cell looks like. Each kind is one bit, so a byte holds all kinds of a column."""

    EMPTY = 1
    INTEGER = 2
    """An integer as pandas prints it."""
    DECIMAL = 4
    """A decimal as pandas prints it."""
    ODD_NUMBER = 8
    """A number in another form, a number that characters do not decide, or text that looks like a number."""
    MISSING = 16
    """A word that pandas reads as a missing value."""
    BOOLEAN = 32
    """`True` or `False`."""
    ODD_BOOLEAN = 64
    TEXT = 128


GAPS = Kind.EMPTY | Kind.MISSING


MISSING_WORDS = "#N/A,#N/A N/A,#NA,-1.#IND,-1.#QNAN,-NaN,-nan,1.#IND,1.#QNAN,<NA>,N/A,NA,NULL,NaN,None,n/a,nan,null"
WORDS = {
    **dict.fromkeys(MISSING_WORDS.split(","), Kind.MISSING),
    **dict.fromkeys(("True", "False"), Kind.BOOLEAN),
}
WORDS_IN_ANY_CASE = {
    **dict.fromkeys(("true", "false"), Kind.ODD_BOOLEAN),
    **dict.fromkeys((sign + word for word in ("inf", "infinity") for sign in ("", "+", "-")), Kind.ODD_NUMBER),
}
"""Words that pandas does not read as text, in lower, upper or mixed case."""
MAX_WORD = max(map(len, [*WORDS, *WORDS_IN_ANY_CASE]))
MAX_EXACT_DIGITS = 15
MAX_INTEGER_DIGITS = 18

PROBE = 4096
"""Bytes of a text that mostly show whether it holds anything but integers."""

ZERO, DOT, MINUS = ord("0"), ord("."), ord("-")
DIGIT, POINT, OTHER_OF_NUMBERS, OTHER = 1, 2, 4, 8
CLASSES = bytearray([OTHER]) * 256
for characters, value in ((b"0123456789", DIGIT), (b".", POINT), (b"+-eE \t", OTHER_OF_NUMBERS), (b",\n", 0)):
    for character in characters:
        CLASSES[character] = value
KINDS = np.array(
    [
        Kind.TEXT
        if classes & OTHER or not classes & DIGIT
        else {DIGIT: Kind.INTEGER, DIGIT | POINT: Kind.DECIMAL}.get(classes, Kind.ODD_NUMBER)
        for classes in range(2 * OTHER)
    ],
    dtype=np.uint8,
)
"""The kind of a cell by the classes of its characters; further rules refine it."""
INITIALS = np.isin(np.arange(256), [ord(word[0]) for word in [*WORDS, *WORDS_IN_ANY_CASE, "INF", "TRUE", "FALSE"]])


def unchanged_kinds(found: Kinds) -> Kinds | None:
    """Return for each column the kinds whose cells pandas prints unchanged, given the kinds that it has.

    None if it is unclear which type pandas gives to a column.
    """
    safe = [_unchanged_kinds(Kind(kinds)) for kinds in found.tolist()]
    return None if None in safe else np.array(safe, dtype=np.uint8)


def _unchanged_kinds(found: Kind) -> Kind | None:
    if found & Kind.TEXT:
        if found & (Kind.ODD_NUMBER | Kind.ODD_BOOLEAN) or (found & Kind.INTEGER and found & (GAPS | Kind.DECIMAL)):
            return None  # pandas guesses the type for each block of rows, and changes some of them
        return Kind.TEXT | Kind.INTEGER | Kind.DECIMAL | Kind.BOOLEAN | Kind.EMPTY
    if found & (Kind.BOOLEAN | Kind.ODD_BOOLEAN):
        return None if found & ~(Kind.BOOLEAN | GAPS) else Kind.BOOLEAN | Kind.EMPTY
    if found == Kind.INTEGER:
        return Kind.INTEGER
    if found & Kind.ODD_NUMBER and not found & (GAPS | Kind.DECIMAL):
        return None  # integer or float: only pandas knows
    return Kind.DECIMAL | Kind.EMPTY


def kinds_found(kinds: Kinds) -> Kinds:
    """Return the kinds that each column has."""
    rows = kinds[:1] if is_uniform(kinds) else kinds
    found: Kinds = np.bitwise_or.reduce(rows, axis=0)
    return found


def rows_with_others(kinds: Kinds, safe: Kinds) -> Flags:
    """Return which rows have a cell whose kind is not in `safe`, the kinds allowed in each column."""
    rows = kinds[:1] if is_uniform(kinds) else kinds
    return np.broadcast_to(np.bitwise_or.reduce(rows & ~safe, axis=1) > 0, len(kinds))


def is_uniform(kinds: Kinds) -> bool:
    """Whether one row of kinds stands for all rows (a broadcast array)."""
    return kinds.strides[0] == 0


def kinds_of_rows(text: Bytes, separators: Positions) -> Kinds:
    """Return the kinds of the cells of complete rows.

    Parameters
    ----------
    text
        Complete lines.
    separators : array of shape (n_rows, n_columns)
        Positions of the comma or line feed after each cell.

    Returns
    -------
    array of shape (n_rows, n_columns)
        One `Kind` for each cell; a broadcast array where all rows are alike.
    """
    if _are_all_integers(text, separators):
        return np.broadcast_to(np.uint8(Kind.INTEGER), separators.shape)
    kinds = _kinds_of_cells(text, separators.ravel()).reshape(separators.shape)
    return np.broadcast_to(kinds[0].copy(), kinds.shape) if (kinds == kinds[0]).all() else kinds


def _are_all_integers(text: Bytes, separators: Positions) -> bool:
    """Whether all cells are integers as pandas prints them; six times as fast as looking at each cell."""
    for piece in (text[:PROBE], text):
        digit, minus = (piece - ZERO) < 10, piece == MINUS
        behind = (piece == ord(",")) | (piece == ord("\n"))
        if not (digit | minus | behind).all():
            return False
    if np.diff(separators.ravel(), prepend=-1).max(initial=0) > MAX_INTEGER_DIGITS:
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
    classes[starts[minus]] = 0  # a minus anywhere else makes an odd number
    present = np.bitwise_or.reduceat(classes, starts)
    points = _points_of_cells(classes, present, separators)
    heads = starts + minus
    digits = lengths - minus - points

    kinds = KINDS[present]
    leading = text[heads]
    zero = leading == ZERO
    integer, decimal = kinds == Kind.INTEGER, kinds == Kind.DECIMAL
    kinds[integer & ((digits > MAX_INTEGER_DIGITS) | (zero & ((digits > 1) | minus)))] = Kind.ODD_NUMBER
    odd = decimal & ((leading == DOT) | (points > 1) | (digits > MAX_EXACT_DIGITS + zero))
    zero = np.flatnonzero(decimal & zero)
    odd[zero] |= _are_odd_below_one(text, heads[zero])
    odd |= decimal & _end_oddly(text, separators, decimal)
    kinds[odd] = Kind.ODD_NUMBER
    words = np.flatnonzero((kinds == Kind.TEXT) & (lengths <= MAX_WORD) & INITIALS[initials])
    kinds[words] = _kinds_of_words(text, starts[words], lengths[words])
    kinds[lengths == 0] = Kind.EMPTY
    return kinds


def _points_of_cells(classes: Bytes, present: Bytes, separators: Positions) -> Positions:
    """Return the number of points in each cell; more than one is rare."""
    places = classes == POINT
    points: Positions = ((present & POINT) != 0).astype(np.int64)
    if np.count_nonzero(places) > points.sum():
        points = np.bincount(np.searchsorted(separators, np.flatnonzero(places)), minlength=len(separators))
    return points


def _are_odd_below_one(text: Bytes, heads: Positions) -> Flags:
    """Return which decimals that begin with a zero pandas prints otherwise: `00.5`, and `0.00001` as `1e-05`."""
    odd: Flags = text[heads + 1] != DOT
    tiny = np.flatnonzero(~odd)
    for place in (2, 3, 4, 5):
        tiny = tiny[text[np.minimum(heads[tiny] + place, len(text) - 1)] == ZERO]
    odd[tiny] = True
    return odd


def _end_oddly(text: Bytes, separators: Positions, decimal: Flags) -> Flags:
    """Return which cells end as pandas prints no decimal: `1.`, `1.50`."""
    last = text[separators - 1]
    odd: Flags = last == DOT
    zero = np.flatnonzero(decimal & (last == ZERO))
    odd[zero] = text[separators[zero] - 2] != DOT
    return odd


def _kinds_of_words(text: Bytes, starts: Positions, lengths: Positions) -> Kinds:
    offsets = np.arange(MAX_WORD)
    letters = text[np.minimum(starts[:, np.newaxis] + offsets, len(text) - 1)]
    letters[offsets >= lengths[:, np.newaxis]] = 0
    words = np.ascontiguousarray(letters).view(f"S{MAX_WORD}").ravel()
    kinds = np.full(len(words), Kind.TEXT, dtype=np.uint8)
    for known, spelled in ((WORDS_IN_ANY_CASE, np.char.lower(words)), (WORDS, words)):
        for word, kind in known.items():
            kinds[spelled == word.encode()] = kind
    return kinds
