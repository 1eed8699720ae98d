"""Edit distances of many pairs of texts at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Texts = NDArray[Any]

WORD = 64
"""Bits of a machine word, and so characters that are looked at together."""
LANES = 2048
"""Pairs that are looked at together."""
CELLS = 2**21
"""Characters that are compared together."""
LONG = 512
"""Length from which a pair is looked at alone, as whole numbers of any size."""
ALL = np.uint64(2**64 - 1)
UNICODE = 0x110000


def levenshtein_error(y_true: Iterable[object], y_pred: Iterable[object]) -> float:
    """Mean over samples of the Levenshtein distance of two texts.

    The distance is the least number of characters (Unicode code points) to insert, delete or replace that makes one
    text the other (Levenshtein, 1966).

    Parameters
    ----------
    y_true, y_pred : iterable of str of length n_samples
        Texts; of anything else (a number, NaN for a missing cell) what `str` makes of it counts.

    Returns
    -------
    float
        In characters, from 0, lower is better; NaN for no samples.

    Examples
    --------
    >>> levenshtein_error(["kitten", "a b"], ["sitting", "a b"])
    1.5
    """
    distances = levenshtein_distances(y_true, y_pred)
    return float(np.mean(distances)) if len(distances) else float("nan")


def levenshtein_distances(first: Iterable[object], second: Iterable[object]) -> Integers:
    """Return the Levenshtein distance of each pair of texts.

    What both have at their ends is left out. The rest goes through Myers' bit-parallel algorithm (Journal of the
    ACM 46, 1999) in the form of Hyyrö (2003), whose words NumPy holds for thousands of pairs.

    >>> levenshtein_distances(["kitten", "a"], ["sitting", ""]).tolist()
    [3, 1]
    """
    texts = _column(first), _column(second)
    if len(texts[0]) != len(texts[1]):
        raise ValueError(f"There are {len(texts[0])} texts on one side and {len(texts[1])} on the other.")
    distances = np.zeros(len(texts[0]), dtype=np.int64)
    differing = np.flatnonzero(texts[0] != texts[1])
    one, other = _without_common_ends(texts[0][differing], texts[1][differing])
    swapped = _lengths(one) > _lengths(other)
    shorter, longer = np.where(swapped, other, one), np.where(swapped, one, other)
    steps, size = _lengths(shorter), _lengths(longer)
    found = np.where(steps == 0, size, 0)
    for pair in np.flatnonzero((steps > 0) & (size > LONG)):
        found[pair] = _distance_of_long(longer[pair], shorter[pair])
    usual = np.flatnonzero((steps > 0) & (size <= LONG))
    words = -(-size[usual] // WORD)
    usual = usual[np.lexsort([-steps[usual], words])]
    for group in np.split(usual, np.cumsum(np.bincount(words))[:-1]) if len(usual) else []:
        for start in range(0, len(group), LANES):
            pairs = group[start : start + LANES]
            found[pairs] = _distances(longer[pairs], shorter[pairs])
    distances[differing] = found
    return distances


def _column(texts: Iterable[object]) -> Texts:
    cells = list(map(str, texts))
    column = np.empty(len(cells), dtype=object)
    column[:] = cells
    return column


def _lengths(texts: Texts) -> Integers:
    return np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))


def _without_common_ends(first: Texts, second: Texts) -> tuple[Texts, Texts]:
    """Return pairs of texts without what both begin with and then without what both end with."""
    for _ in range(2):
        start = _common_starts(first, second).tolist()
        # Reversed, so that ends are starts in the second round, which turns the texts back.
        first, second = (
            _column(text[place:][::-1] for text, place in zip(texts, start, strict=True)) for texts in (first, second)
        )
    return first, second


def _common_starts(first: Texts, second: Texts) -> Integers:
    """Return how many characters both texts of each pair begin with."""
    shorter = np.minimum(_lengths(first), _lengths(second))
    starts = np.zeros(len(shorter), dtype=np.int64)
    order = np.argsort(shorter, kind="stable")
    for pairs in _portions(order, shorter[order]):
        width = int(shorter[pairs[-1]])
        differ = _characters(first[pairs], width) != _characters(second[pairs], width)
        place = np.where(differ.any(axis=1), differ.argmax(axis=1), width)
        starts[pairs] = np.minimum(place, shorter[pairs])
    return starts


def _portions(order: Integers, widths: Integers) -> Iterator[Integers]:
    """Yield portions of positions, whose widths ascend from 0, so that each makes a matrix of bounded size."""
    first = int(np.searchsorted(widths, 1))
    while first < len(order):
        last = first + max(1, CELLS // int(widths[min(first + LANES, len(order)) - 1]))
        last = min(last, first + LANES)
        yield order[first:last]
        first = last


def _characters(texts: Texts, width: int) -> NDArray[np.uint32]:
    """Return the first characters of each text as numbers, 0 behind its end, in the shape (texts, width)."""
    return texts.astype(f"U{width}").view(np.uint32).reshape(len(texts), width)


def _distances(patterns: Texts, texts: Texts) -> Integers:
    """Return the distances of pairs that are not empty; texts come longest first, patterns all need as many words."""
    size, steps = _lengths(patterns), _lengths(texts)
    pattern, text = _characters(patterns, int(size.max())), _characters(texts, int(steps[0]))
    places = _places(pattern, text)
    words, lanes = places.shape[1], np.arange(len(texts))
    plus, minus = np.full((words, len(texts)), ALL), np.zeros((words, len(texts)), dtype=np.uint64)
    for step, active in enumerate(np.searchsorted(-steps, -np.arange(steps[0]), side="left").tolist()):
        up: Any = np.uint64(1)
        down: Any = np.uint64(0)
        for word in range(words):
            equal = places[text[:active, step], word, lanes[:active]]
            plus[word, :active], minus[word, :active], up, down = _next_column(
                equal, plus[word, :active], minus[word, :active], up, down
            )
            up, down = up >> np.uint64(WORD - 1), down >> np.uint64(WORD - 1)
    unused = np.clip(WORD * (np.arange(words)[:, np.newaxis] + 1) - size, 0, WORD - 1).astype(np.uint64)
    inside = ALL >> unused
    return steps + _bits(plus & inside) - _bits(minus & inside)


def _places(pattern: NDArray[np.uint32], text: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Return where the characters of the texts stand in the patterns; in place, texts become numbers of characters.

    The result has the shape (characters, words, pairs), a bit for each place in a pattern. All characters that are
    not on both sides share the number 0, which stands nowhere.
    """
    found = np.zeros((2, UNICODE), dtype=bool)
    found[0, pattern], found[1, text] = True, True
    shared = np.flatnonzero(found[0] & found[1])
    numbers = np.zeros(UNICODE, dtype=np.uint32)
    numbers[shared] = np.arange(1, len(shared) + 1)
    text[:] = numbers[text]
    pairs, size = pattern.shape
    places = np.zeros((len(shared) + 1, -(-size // WORD), pairs), dtype=np.uint64)
    lanes = np.arange(pairs)
    for place, characters in enumerate(numbers[pattern].T):
        places[characters, place // WORD, lanes] |= np.uint64(1 << place % WORD)
    places[0] = 0
    return places


def _next_column(equal: Any, plus: Any, minus: Any, up: Any, down: Any) -> tuple[Any, Any, Any, Any]:
    """Go on by one character of the text, on words or whole numbers of any size.

    A bit stands for a row of the table of distances. `plus` and `minus` mark where the distance grows or shrinks
    by one from the row above; of the rows to the right of them, `up` and `down` tell the same of the column before.
    """
    either = equal | minus
    equal = equal | down
    across = (((equal & plus) + plus) ^ plus) | equal
    grows, shrinks = minus | ~(across | plus), plus & across
    from_above_up, from_above_down = grows + grows | up, shrinks + shrinks | down
    return from_above_down | ~(either | from_above_up), from_above_up & either, grows, shrinks


def _distance_of_long(pattern: str, text: str) -> int:
    characters = np.frombuffer(pattern.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    places = {
        sign: int.from_bytes(np.packbits(characters == ord(sign), bitorder="little").tobytes(), "little")
        for sign in set(text)
    }
    inside = (1 << len(pattern)) - 1
    plus, minus = inside, 0
    for sign in text:
        plus, minus, _, _ = _next_column(places[sign], plus, minus, 1, 0)
        plus, minus = plus & inside, minus & inside
    return len(text) + plus.bit_count() - minus.bit_count()


def _bits(words: NDArray[np.uint64]) -> Integers:
    """Return how many bits are set in each column."""
    counts: Integers = np.unpackbits(np.ascontiguousarray(words.T).view(np.uint8), axis=1).sum(axis=1, dtype=np.int64)
    return counts
