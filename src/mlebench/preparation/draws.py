"""Random numbers for splits that draw one number after another from a single stream."""

from __future__ import annotations

import numpy as np


class Draws:
    """Numbers from `numpy.random.RandomState(seed)`, whose stream NumPy never changes.

    Parameters
    ----------
    seed
        Seed of the stream.

    Examples
    --------
    >>> draws = Draws(0)
    >>> draws.until_at_most(0.1), draws.below(6)
    (15, 1)
    """

    def __init__(self, seed: int) -> None:
        self._random = np.random.RandomState(seed)

    def until_at_most(self, share: float) -> int:
        """Draw uniform numbers in [0, 1) until one is at most `share`; return how many were drawn."""
        draw, drawn = self._random.random_sample, 1
        while draw() > share:
            drawn += 1
        return drawn

    def below(self, stop: int) -> int:
        """Draw an integer from 0 to `stop` - 1, where `stop` is less than 2^32; a `stop` of 1 draws nothing."""
        return int(self._random.randint(stop))
