"""Drawn heads: those of cats have pointed ears on top, those of dogs hang at the sides."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, picture_bytes, with_copies, zip_bytes

OF_EACH, TEST = 80, 5


def make(rng: np.random.Generator) -> dict[str, bytes]:
    kinds = np.repeat(["cat", "dog"], OF_EACH)
    photos = with_copies(rng, [make_photo(rng, kind) for kind in kinds], kinds, share=0.2)
    train = {f"train/{kind}.{place % OF_EACH}.jpg": photos[place] for place, kind in enumerate(kinds)}
    test = {f"test/{k + 1}.jpg": make_photo(rng, str(rng.choice(["cat", "dog"]))) for k in range(TEST)}
    sample = pd.DataFrame({"id": range(1, TEST + 1), "label": 0.5})
    return {
        "train.zip": zip_bytes(train),
        "test.zip": zip_bytes(test),
        "sample_submission.csv": csv_bytes(sample),
    }


def make_photo(rng: np.random.Generator, kind: str) -> bytes:
    height, width = 24 + 4 * rng.integers(0, 3, 2)
    y, x = np.mgrid[-1.2 : 1.2 : height * 1j, -1.2 : 1.2 : width * 1j]
    y, x = y + rng.normal(0, 0.1), np.abs(x + rng.normal(0, 0.1))
    head = np.hypot(x, y) < rng.uniform(0.55, 0.75)
    if kind == "cat":
        ears = (y > -1) & (y < -0.3) & (np.abs(x - 0.45) < (y + 1) * 0.4)
    else:
        ears = np.hypot((x - 0.75) / 0.25, (y - 0.1) / rng.uniform(0.45, 0.65)) < 1
    fur, ground = rng.uniform([60, 40, 20], [220, 180, 140]), rng.uniform(90, 250, 3)
    picture = np.where(head[..., np.newaxis], fur, ground)
    picture = np.where(ears[..., np.newaxis], fur * rng.uniform(0.4, 0.8), picture)
    return picture_bytes(picture, "JPEG", quality=25)
