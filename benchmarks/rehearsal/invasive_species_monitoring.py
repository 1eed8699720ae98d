"""Photos of green foliage; where the invader grows, clusters of pale blossoms stand out."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.formats import seven_zip_bytes
from benchmarks.rehearsal.making import csv_bytes, picture_bytes, with_copies, zip_bytes

TRAIN, TEST, HEIGHT, WIDTH = 120, 6, 24, 32


def make(rng: np.random.Generator) -> dict[str, bytes]:
    invasive = (rng.random(TRAIN + TEST) < 0.6).astype(int)
    photos = with_copies(rng, [make_photo(rng, bool(value)) for value in invasive], invasive, share=0.2)
    labels = pd.DataFrame({"name": range(1, TRAIN + 1), "invasive": invasive[:TRAIN]})
    sample = pd.DataFrame({"name": range(1, TEST + 1), "invasive": 0.5})
    return {
        "train.7z": seven_zip_bytes({f"train/{place + 1}.jpg": photo for place, photo in enumerate(photos[:TRAIN])}),
        "test.7z": seven_zip_bytes({f"test/{place + 1}.jpg": photo for place, photo in enumerate(photos[TRAIN:])}),
        "train_labels.csv.zip": zip_bytes({"train_labels.csv": csv_bytes(labels)}),
        "sample_submission.csv.zip": zip_bytes({"sample_submission.csv": csv_bytes(sample)}),
    }


def make_photo(rng: np.random.Generator, invasive: bool) -> bytes:
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    photo = np.full((HEIGHT, WIDTH, 3), [60.0, 110.0, 50.0]) + rng.normal(0, 12)
    blobs = [[40, 70, 35]] * int(rng.integers(0, 4)) + [[200, 190, 225]] * (int(rng.integers(1, 4)) * invasive)
    for colour in blobs:
        row, column = rng.uniform(0, 1, 2) * (HEIGHT, WIDTH)
        photo[np.hypot(y - row, x - column) < rng.uniform(2, 5)] = colour
    return picture_bytes(np.clip(photo, 0, 255), "JPEG", quality=25)
