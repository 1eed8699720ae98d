"""Camera-trap photos: locations with their backgrounds, and bursts of photos of one animal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import hexadecimal_ids, picture_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

SIDE = 18


@dataclass(frozen=True)
class Photo:
    """A photo of an animal, or an empty one (kind 0)."""

    id: str
    kind: int
    location: int
    sequence: str
    frame: int
    frames: int
    time: pd.Timestamp
    box: tuple[float, float, float, float]
    """Left, top, width and height, as fractions of the photo."""
    picture: bytes


def make_bursts(rng: np.random.Generator, locations: list[int], kinds: int, bursts: int) -> Iterator[Photo]:
    """Yield the photos of bursts of one to three; the location decides which animals are likely, and many are empty."""
    ids = make_uuids(rng, 4 * bursts)
    looks = rng.uniform([0.12, 0.1, 20, 10, 0], [0.3, 0.3, 120, 90, 60], (kinds, 5))
    backdrops = rng.uniform(90, 230, (len(locations), 3))
    fauna = rng.dirichlet(np.full(kinds - 1, 0.8), len(locations))
    for _ in range(bursts):
        place = int(rng.integers(len(locations)))
        kind = 0 if rng.random() < 0.4 else 1 + int(rng.choice(kinds - 1, p=fauna[place]))
        frames, sequence = int(rng.integers(1, 4)), ids.pop()
        time = pd.Timestamp("2013-01-01") + pd.Timedelta(int(rng.integers(525_600)), "min")
        for frame in range(1, frames + 1):
            box, picture = take_photo(rng, backdrops[place], looks[kind] if kind else None)
            moment = time + pd.Timedelta(frame, "s")
            yield Photo(ids.pop(), kind, locations[place], sequence, frame, frames, moment, box, picture)


def take_photo(
    rng: np.random.Generator, backdrop: np.ndarray, look: np.ndarray | None
) -> tuple[tuple[float, float, float, float], bytes]:
    """Return the box of the animal and the picture."""
    y, x = np.mgrid[0 : 1 : SIDE * 1j, 0 : 1 : SIDE * 1j]
    picture = backdrop * (0.7 + 0.3 * y[..., np.newaxis]) * rng.uniform(0.8, 1.1)
    left, top, width, height = 0.0, 0.0, 0.0, 0.0
    if look is not None:
        size = look[:2] * rng.uniform(0.85, 1.15, 2)
        middle = rng.uniform(size, 1 - size)
        on_animal = ((x - middle[0]) / size[0]) ** 2 + ((y - middle[1]) / size[1]) ** 2 < 1
        picture = np.where(on_animal[..., np.newaxis], look[2:], picture)
        left, top, width, height = (round(float(value), 4) for value in (*(middle - size), *(2 * size)))
    return (left, top, width, height), picture_bytes(np.clip(picture, 0, 255), "JPEG", quality=15)


def make_uuids(rng: np.random.Generator, count: int) -> list[str]:
    """Return different ids in the format of UUIDs."""
    return [
        "-".join((id[:8], id[8:12], id[12:16], id[16:20], id[20:])) for id in hexadecimal_ids(rng, count, digits=32)
    ]
