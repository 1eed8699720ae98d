"""Photos of pressed leaves whose shape and colour identify the species, and names of species."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.rehearsal.making import picture_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

SIDE = 18
SYLLABLES = ["ac", "be", "cal", "dri", "eu", "fo", "gen", "hel", "lu", "ma", "ne", "or", "pha", "ri", "sa", "ver"]


def make_sheets(rng: np.random.Generator, sizes: Sequence[int]) -> list[tuple[int, bytes]]:
    """Return photos in random order with the number of their species; `sizes` has the photos of each species."""
    looks = rng.uniform([0.4, 0.15, 30, 50, 10], [0.95, 0.5, 170, 210, 130], (len(sizes), 5))
    order = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    return [(kind, draw_leaf(rng, looks[kind])) for kind in order.tolist()]


def draw_leaf(rng: np.random.Generator, look: np.ndarray) -> bytes:
    """Return a photo of a slightly tilted leaf on paper."""
    y, x = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    length, width = look[:2] * rng.uniform(0.9, 1.1, 2)
    tilt = rng.normal(0, 0.2)
    along, across = x * np.sin(tilt) + y * np.cos(tilt), x * np.cos(tilt) - y * np.sin(tilt)
    on_leaf = (along / length) ** 2 + (across / width) ** 2 < 1
    picture = np.where(on_leaf[..., np.newaxis], look[2:] * rng.uniform(0.9, 1.1), rng.uniform(215, 240))
    return picture_bytes(picture, "JPEG", quality=15)


def make_names(rng: np.random.Generator, count: int, ending: str) -> list[str]:
    """Return different names that sound like Latin."""
    names: dict[str, None] = {}
    while len(names) < count:
        names["".join(rng.choice(SYLLABLES, int(rng.integers(2, 4)))).capitalize() + ending] = None
    return list(names)
