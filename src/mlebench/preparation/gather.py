"""Pieces of a large text, picked out of it and put one behind the other without a loop over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    Positions = np.ndarray[Any, np.dtype[np.int64]]

WASTE = 8
"""How many times as long as its mean length the longest piece may be, for a matrix of all to be made."""


def gather(text: Any, starts: Positions, stops: Positions) -> bytes:
    """Return the pieces of a text (bytes, or a file in memory) from each start to its stop, in the order given.

    NumPy copies a window as wide as the longest piece at each start, and then drops what lies behind the stops.
    """
    lengths = stops - starts
    width = int(lengths.max(initial=0))
    if width * len(lengths) > WASTE * lengths.sum() or width == 0:
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
