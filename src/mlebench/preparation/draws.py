"""A long run of random numbers with single whole ones in between, as NumPy's `RandomState` gives them one by one."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

BLOCK = 2**20
"""Words of 32 bits that are drawn at a time."""


class Draws:
    """The draws of `numpy.random.RandomState(seed)`, whose stream NumPy keeps stable for good.

    `uniform` takes two words of 32 bits and `randint` at least one, so after a whole number the next uniform ones
    may begin at an odd word: where small ones lie is looked up for even and for odd places.
    """

    def __init__(self, seed: int) -> None:
        self._random = np.random.RandomState(seed)
        self._share = 0.0
        self._words: list[int] = []
        self._small: tuple[list[int], list[int]] = ([], [])
        self._next = 0

    def until_at_most(self, share: float) -> int:
        """Draw uniform numbers in [0, 1) until one is at most `share`; returns how many were drawn."""
        if share != self._share:
            self._share = share
            self._look()
        drawn = 0
        while True:
            places = self._small[self._next % 2]
            found = bisect_left(places, self._next)
            if found < len(places):
                drawn += (places[found] - self._next) // 2 + 1
                self._next = places[found] + 2
                return drawn
            rest = (len(self._words) - self._next) // 2
            drawn, self._next = drawn + rest, self._next + 2 * rest
            self._refill()

    def below(self, stop: int) -> int:
        """Draw a whole number from 0 to `stop` - 1, which is at most 2^32 - 1; for a `stop` of 1 nothing is drawn."""
        mask = (1 << (stop - 1).bit_length()) - 1
        while mask:
            if self._next == len(self._words):
                self._refill()
            value = self._words[self._next] & mask
            self._next += 1
            if value < stop:
                return value
        return 0

    def _refill(self) -> None:
        words = self._random.randint(0, 2**32, BLOCK, dtype=np.uint32)
        self._words = [*self._words[self._next :], *words.tolist()]
        self._next = 0
        self._look()

    def _look(self) -> None:
        words = np.array(self._words, dtype=np.uint64)
        high, low = words[:-1] >> np.uint64(5), words[1:] >> np.uint64(6)
        small = np.flatnonzero((high * 2.0**26 + low) / 2.0**53 <= self._share)
        self._small = small[small % 2 == 0].tolist(), small[small % 2 == 1].tolist()
