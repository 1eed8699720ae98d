"""Work through many items in portions, so that memory stays bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike


def portions(sizes: ArrayLike, limit: int) -> Iterator[slice]:
    """Yield slices of items whose sizes sum to at most the limit; a larger item is alone in its slice.

    >>> list(portions([2, 2, 3, 9, 1], limit=5))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None), slice(4, 5, None)]
    """
    ends = np.cumsum(sizes)
    first, before = 0, 0
    while first < len(ends):
        last = max(first + 1, int(np.searchsorted(ends, before + limit, side="right")))
        yield slice(first, last)
        first, before = last, int(ends[last - 1])
