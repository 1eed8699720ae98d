"""Smooth grey images; each of the three algorithms slightly changes another number of pixels."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, picture_bytes

COVERS, SPLIT, TEST, SIDE = 42, 14, 4, 8
"""Cover images, those of them in the preparer's test set, images of the original test set, and pixels."""
SHARES = {"Cover": 0.0, "JMiPOD": 0.2, "JUNIWARD": 0.3, "UERD": 0.4}
"""Folders, and the fraction of pixels that they change."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    files = {"rehearsal.json": json.dumps({"test_size": SPLIT}).encode()}
    for number in sorted(rng.choice(np.arange(1, 75_001), COVERS, replace=False).tolist()):
        cover = make_cover(rng)
        for folder, share in SHARES.items():
            files[f"{folder}/{number:05}.jpg"] = picture_bytes(hide(rng, cover, share), "JPEG", quality=90)
    names = [f"{number:04}.jpg" for number in range(1, TEST + 1)]
    for name, share in zip(names, SHARES.values(), strict=True):
        files[f"Test/{name}"] = picture_bytes(hide(rng, make_cover(rng), share), "JPEG", quality=90)
    files["sample_submission.csv"] = csv_bytes(pd.DataFrame({"Id": names, "Label": 0}))
    return files


def make_cover(rng: np.random.Generator) -> np.ndarray:
    y, x = np.mgrid[:SIDE, :SIDE]
    return 128 + rng.uniform(-6, 6) * (x - SIDE / 2) + rng.uniform(-6, 6) * (y - SIDE / 2)


def hide(rng: np.random.Generator, cover: np.ndarray, share: float) -> np.ndarray:
    changed = rng.random(cover.shape) < share
    return np.clip(np.round(cover + changed * rng.choice([-8, 8], cover.shape)), 0, 255)
