"""Dogs as ellipses on grass: some of the 120 breeds, each with its own colour, build and pattern."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes, with_copies
from mlebench.competitions.dog_breed_identification.task import BREEDS

SEEN, PER_BREED, TEST, SIDE = 20, 6, 5, 24
"""Breeds, and photos of each."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    seen = rng.choice(len(BREEDS), SEEN, replace=False)
    kind = np.concatenate([rng.permutation(np.repeat(np.arange(SEEN), PER_BREED)), rng.choice(SEEN, TEST)])
    colour, slim, stripes = rng.uniform(30, 220, (SEEN, 3)), rng.uniform(0.3, 0.8, SEEN), rng.integers(0, 4, SEEN)
    ids = hexadecimal_ids(rng, len(kind), digits=32)
    train = len(kind) - TEST
    labels = pd.DataFrame({"id": ids[:train], "breed": np.array(BREEDS)[seen[kind[:train]]]})
    sample = pd.DataFrame({"id": ids[train:], **dict.fromkeys(BREEDS, 1 / len(BREEDS))})
    files = {"labels.csv": csv_bytes(labels), "sample_submission.csv": csv_bytes(sample)}
    photos = [make_photo(rng, colour[breed], slim[breed], stripes[breed]) for breed in kind]
    for place, (id, photo) in enumerate(zip(ids, with_copies(rng, photos, kind, share=0.2), strict=True)):
        files[f"{'train' if place < train else 'test'}/{id}.jpg"] = photo
    return files


def make_photo(rng: np.random.Generator, colour: np.ndarray, slim: float, stripes: int) -> bytes:
    width = SIDE + 8 * int(rng.integers(0, 2))
    y, x = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : width * 1j]
    dog = np.hypot(x - rng.normal(0, 0.1), (y - rng.normal(0, 0.1)) / slim) < 0.9
    photo = np.where(dog[..., np.newaxis], colour + rng.normal(0, 8), [90, 150, 70])
    photo[dog & (np.sin(4 * stripes * x) > 0.5)] *= 0.6
    return picture_bytes(np.clip(photo, 0, 255), "JPEG", quality=20)
