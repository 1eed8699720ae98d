"""Masks as runs of pixels: areas, overlaps and the scores made of them, without building a single pixel.

A mask is a set of runs on a flat pixel axis. The runs of many masks lie one after the other on one long axis
(`Runs`), so that areas and overlaps of all masks come from a few array operations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    Integers = NDArray[np.int64]

LARGEST = 2**63 - 1
SHORT = 18
"""Digits that every number of 64 bits has room for."""
LARGEST_PICTURE = 2**40


@dataclass(frozen=True)
class Runs:
    """The runs of many masks: for each run its mask's number, its first pixel and the pixel after its last.

    Runs are sorted by mask and start, do not overlap, and pixels count from 0 within a mask.
    """

    mask: Integers
    start: Integers
    stop: Integers
    masks: int
    """How many masks there are, empty ones included."""

    @classmethod
    def stack(cls, decoded: Sequence[tuple[Integers, Integers]]) -> Runs:
        """Put the runs `(start, stop)` of single masks together."""
        counts = [len(start) for start, _ in decoded]
        empty = np.zeros(0, dtype=np.int64)
        return cls(
            np.repeat(np.arange(len(decoded)), counts),
            np.concatenate([empty, *(start for start, _ in decoded)]),
            np.concatenate([empty, *(stop for _, stop in decoded)]),
            len(decoded),
        )

    @property
    def areas(self) -> Integers:
        """Pixels of each mask."""
        return np.bincount(self.mask, weights=self.stop - self.start, minlength=self.masks).astype(np.int64)

    def overlaps(self, other: Runs) -> Integers:
        """Pixels that each mask shares with the other's mask of the same number."""
        width = int(max(np.max(self.stop, initial=0), np.max(other.stop, initial=0))) + 1
        start, stop = self.start + self.mask * width, self.stop + self.mask * width
        covered = np.concatenate([[0], np.cumsum(stop - start)])

        def pixels_before(position: Integers) -> Integers:
            run = np.searchsorted(start, position, side="right") - 1
            inside = np.minimum(position, stop[run]) - start[run]
            result: Integers = np.where(run >= 0, covered[run] + inside, 0)
            return result

        if not len(start) or not len(other.start):
            return np.zeros(self.masks, dtype=np.int64)
        offset = other.mask * width
        shared = pixels_before(other.stop + offset) - pixels_before(other.start + offset)
        return np.bincount(other.mask, weights=shared, minlength=self.masks).astype(np.int64)


def parse_integers(text: str) -> list[int]:
    """Return the integers of a run-length code, read as `int` does; InvalidSubmissionError for anything else."""
    numbers = []
    for part in text.split():
        try:
            number = int(part)
        except ValueError:
            raise InvalidSubmissionError(f"A run-length code holds {part[:30]!r}, which is no whole number.") from None
        if abs(number) > LARGEST:
            raise InvalidSubmissionError("A run-length code holds a number that no picture is large enough for.")
        numbers.append(number)
    return numbers


def decode_runs(starts: Iterable[int], lengths: Iterable[int], pixels: int) -> tuple[Integers, Integers]:
    """Turn starts (from 1) and lengths into runs `(start, stop)` from 0, cut off at the last pixel.

    Raises InvalidSubmissionError unless starts ascend, starts and lengths are positive, and no pixel is
    set twice.
    """
    start, length = (np.fromiter(numbers, dtype=np.int64) for numbers in (starts, lengths))
    return _cut(np.zeros(len(start), dtype=np.int64), start, length, pixels)[1:]


def _cut(
    mask: Integers, start: Integers, length: Integers, pixels: Integers | int
) -> tuple[Integers, Integers, Integers]:
    """Do what `decode_runs` does for runs of several masks, one behind the other; runs outside are left out."""
    if (start <= 0).any() or (length <= 0).any():
        raise InvalidSubmissionError("Starts and lengths of a run-length code must be positive.")
    if ((start[1:] < start[:-1]) & (mask[1:] == mask[:-1])).any():
        raise InvalidSubmissionError("The runs of a run-length code must be sorted by their start.")
    start = start - 1
    stop = np.minimum(start + np.minimum(length, pixels), pixels)
    inside = start < pixels
    mask, start, stop = mask[inside], start[inside], stop[inside]
    if ((start[1:] < stop[:-1]) & (mask[1:] == mask[:-1])).any():
        raise InvalidSubmissionError("The runs of a run-length code must not overlap.")
    return mask, start, stop


def split_pairs(numbers: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """Return starts and lengths of a run-length code, with a quirk that v1 of several tasks has.

    There, three numbers are two runs of one length, and one number is no run; any other number without its partner is
    refused with InvalidSubmissionError.
    """
    starts, lengths = numbers[::2], numbers[1::2]
    if len(starts) == len(lengths):
        return starts, lengths
    match len(numbers):
        case 1 if starts[0] > 0:
            return [], []
        case 3:
            return starts, [*lengths, *lengths]
    raise InvalidSubmissionError("A run-length code needs pairs of start and length.")


def decode_masks(ids: Iterable[Any], codes: ArrayLike, pixels: ArrayLike) -> Runs:
    """Decode masks by `split_pairs` and `decode_runs`; pixels are those of each picture, or of all alike.

    Raises InvalidSubmissionError, which names the mask, for a code that is no text or breaks a rule.
    """
    texts: list[Any] = np.asarray(codes, dtype=object).tolist()
    sizes = np.broadcast_to(np.asarray(pixels, dtype=np.int64), len(texts))
    together = _decode_together(texts, sizes)
    if together is not None:
        return together
    decoded = []
    for id, code, size in zip(ids, texts, sizes.tolist(), strict=True):
        try:
            if not isinstance(code, str):
                raise InvalidSubmissionError("A run-length code must be text, and not blank or a number alone.")
            decoded.append(decode_runs(*split_pairs(parse_integers(code)), size))
        except InvalidSubmissionError as error:
            raise InvalidSubmissionError(f"The mask of {plain(id)} is refused: {error}") from None
    return Runs.stack(decoded)


def _decode_together(codes: list[Any], pixels: Integers) -> Runs | None:
    """Do what `decode_masks` does for the usual case, pairs of short numbers that break no rule.

    For 20,000 masks of 40 runs it takes a sixth of the time. None means that this is another case, in which the codes
    must be decoded one by one.
    """
    try:
        content = b" %b " % " ".join(codes).encode("ascii")
    except (TypeError, UnicodeEncodeError):
        return None
    if content.translate(None, b"0123456789 "):
        return None
    is_digit = np.frombuffer(content, dtype=np.uint8) != ord(" ")
    edges = np.flatnonzero(is_digit[1:] != is_digit[:-1])
    first, last = edges[::2], edges[1::2]
    behind = np.cumsum(np.fromiter(map(len, codes), dtype=np.int64) + 1)  # each code, with the blank after it
    counts = np.diff(np.searchsorted(first, behind), prepend=0)
    if (counts % 2).any() or np.max(last - first, initial=0) > SHORT:
        return None
    numbers = np.fromstring(content, dtype=np.int64, sep=" ")
    mask = np.repeat(np.arange(len(codes)), counts // 2)
    try:
        return Runs(*_cut(mask, numbers[::2], numbers[1::2], pixels[mask]), len(codes))
    except InvalidSubmissionError:
        return None


def encode_mask(mask: NDArray[np.bool_]) -> str:
    """Return the run-length code of a mask of the shape (height, width): down the columns, from the left one on."""
    edges = np.flatnonzero(np.diff(mask.T.ravel(), prepend=False, append=False))
    numbers = np.stack([edges[::2] + 1, edges[1::2] - edges[::2]], axis=1)
    return " ".join(map(str, numbers.ravel().tolist()))


def dice_score(y_true: Sequence[str], y_pred: Sequence[str]) -> float:
    """Dice coefficient of all masks taken together: twice the shared pixels over the sum of both areas.

    Parameters
    ----------
    y_true, y_pred : sequence of str of length n_masks
        Run-length codes `start length start length …` with pixels from 1; blank for an empty mask.

    Returns
    -------
    float
        In [0, 1], higher is better; 1 where both sides are wholly empty; NaN for no masks.

    Examples
    --------
    >>> dice_score(["1 4", ""], ["3 4", ""])
    0.5
    """
    if not len(y_true):
        return float("nan")
    truth, prediction = (Runs.stack([_decode_pairs(text) for text in texts]) for texts in (y_true, y_pred))
    total = int(truth.areas.sum() + prediction.areas.sum())
    return 2 * int(truth.overlaps(prediction).sum()) / total if total else 1.0


def _decode_pairs(text: str) -> tuple[Integers, Integers]:
    numbers = parse_integers(text)
    if len(numbers) % 2:
        raise InvalidSubmissionError("A run-length code needs pairs of start and length.")
    return decode_runs(numbers[::2], numbers[1::2], pixels=LARGEST_PICTURE)
