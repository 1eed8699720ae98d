"""Slices of a large text, concatenated without a Python loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    Positions = np.ndarray[Any, np.dtype[np.int64]]

MAX_WASTE = 8
"""How many times the mean length the longest slice may have; beyond, a matrix of all slices wastes memory."""


def gather(text: Any, starts: Positions, stops: Positions) -> bytes:
    """Return slices of a text, concatenated in the order given.

    For shuffled lines of 16 bytes it takes a quarter of the time of joining slices, for lines of 80 bytes half. NumPy
    copies a window as wide as the longest slice at each start, and drops the bytes after each stop.

    Parameters
    ----------
    text : bytes or mmap
        The text.
    starts, stops : arrays of shape (n_slices,)
        Positions of the first byte of each slice, and of the byte after its last.

    Examples
    --------
    >>> gather(b"abcdef", np.array([4, 0]), np.array([6, 1]))
    b'efa'
    """
    lengths = stops - starts
    width = int(lengths.max(initial=0))
    if width * len(lengths) > MAX_WASTE * lengths.sum() or width == 0:
        return b"".join([text[start:stop] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)])
    firsts = np.minimum(starts, len(text) - width)  # windows end where the text ends
    windows = np.ndarray((len(text) - width + 1,), f"V{width}", text, strides=(1,))
    pieces = windows[firsts].view(np.uint8).reshape(-1, width)
    for row in np.flatnonzero(firsts < starts):
        pieces[row, : lengths[row]] = np.frombuffer(text, np.uint8, lengths[row], starts[row])
    if (lengths == width).all():
        return pieces.tobytes()
    offsets = np.arange(width, dtype=np.int32)
    return pieces[offsets < lengths[:, np.newaxis].astype(np.int32)].tobytes()
