"""Leaves with spots: rust has small orange ones, scab large dark ones, and some leaves have both."""

from __future__ import annotations

import numpy as np
import pandas as pd
from PIL import Image

from benchmarks.rehearsal.making import csv_bytes, picture_bytes, with_copies
from mlebench.competitions.plant_pathology_2020_fgvc7.task import CLASSES

TRAIN, TEST, CONTRADICTIONS, HEIGHT, WIDTH = 140, 6, 3, 24, 32
SHARES = [0.26, 0.18, 0.28, 0.28]
"""The second class is far rarer in the real data, but then tiny data would often have none to test."""
DATE_TIME = 0x0132
"""The EXIF tag of the time. Each class was photographed on its own day, so metadata tell it."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    kind = rng.choice(CLASSES, TRAIN + TEST, p=SHARES)
    ids = [f"Train_{number}" for number in range(TRAIN)] + [f"Test_{number}" for number in range(TEST)]
    frame = pd.DataFrame({"image_id": ids, **{name: (kind == name).astype(int) for name in CLASSES}})
    test = frame.iloc[TRAIN:]
    files = {
        "train.csv": csv_bytes(frame.iloc[:TRAIN]),
        "test.csv": csv_bytes(test[["image_id"]]),
        "sample_submission.csv": csv_bytes(test.assign(**dict.fromkeys(CLASSES, 0.25))),
    }
    photos = with_copies(rng, [make_photo(rng, name) for name in kind], kind, share=0.2)
    photos[:CONTRADICTIONS] = photos[TRAIN - CONTRADICTIONS : TRAIN]
    return files | {f"images/{id}.jpg": photo for id, photo in zip(ids, photos, strict=True)}


def make_photo(rng: np.random.Generator, kind: str) -> bytes:
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    photo = np.full((HEIGHT, WIDTH, 3), [70.0, 90.0, 60.0])
    leaf = np.hypot((x - WIDTH / 2) / WIDTH, (y - HEIGHT / 2) / HEIGHT) < 0.45
    photo[leaf] = np.array([90, 160, 60]) + rng.normal(0, 10)
    spots = [(3, 1.6, [225, 130, 30])] * (kind in ("rust", "multiple_diseases"))
    spots += [(3, 3.0, [60, 75, 35])] * (kind in ("scab", "multiple_diseases"))
    for count, size, colour in spots:
        for _ in range(rng.integers(1, count + 1)):
            row, column = rng.uniform(0.25, 0.75, 2) * (HEIGHT, WIDTH)
            photo[leaf & (np.hypot(y - row, x - column) < size)] = colour
    metadata = Image.Exif()
    metadata[DATE_TIME] = f"2019:08:{1 + CLASSES.index(kind):02} 12:00:{rng.integers(60):02}"
    return picture_bytes(np.clip(photo, 0, 255), "JPEG", quality=30, exif=metadata.tobytes())
