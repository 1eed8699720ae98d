"""Flukes: each whale has its own notch, tips and white patches; some whales have one photo only."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes, with_copies

TIMES_SEEN = [1] * 30 + [2] * 25 + [3] * 16 + [5] * 8 + [9] * 2
NEW, TEST = 14, 4
GUESSES = "new_whale w_1287fbc w_98baff9 w_7554f44 w_1eafe46"


def make(rng: np.random.Generator) -> dict[str, bytes]:
    names = GUESSES.split()[1:]
    names += [f"w_{name}" for name in hexadecimal_ids(rng, len(TIMES_SEEN) - len(names), digits=7)]
    names = [names[place] for place in rng.permutation(len(names))]
    whales = np.repeat(np.arange(len(names)), TIMES_SEEN)
    whales = rng.permutation(np.concatenate([whales, len(names) + np.arange(NEW)]))  # the new ones all differ
    marks = [make_marks(rng) for _ in range(len(names) + NEW)]
    images = [f"{name}.jpg" for name in hexadecimal_ids(rng, len(whales) + TEST, digits=8)]
    known, tested = images[: len(whales)], images[len(whales) :]
    train = pd.DataFrame({"Image": known, "Id": [([*names, *["new_whale"] * NEW])[whale] for whale in whales]})
    photos = with_copies(rng, [make_photo(rng, **marks[whale]) for whale in whales], whales, share=0.4)
    data = {f"train/{image}": photo for image, photo in zip(known, photos, strict=True)}
    data |= {f"test/{image}": make_photo(rng, **make_marks(rng)) for image in tested}
    sample = pd.DataFrame({"Image": tested, "Id": GUESSES})
    return {**data, "train.csv": csv_bytes(train), "sample_submission.csv": csv_bytes(sample)}


def make_marks(rng: np.random.Generator) -> dict[str, float]:
    return {
        "notch": rng.uniform(0.1, 0.6),
        "tips": rng.uniform(0.2, 0.8),
        "patch": rng.uniform(0.2, 0.8),
        "size": rng.uniform(0, 0.3),
        "shade": rng.uniform(20, 90),
    }


def make_photo(rng: np.random.Generator, notch: float, tips: float, patch: float, size: float, shade: float) -> bytes:
    """Return a dark fluke with a notch in the middle and a white patch on each side, over grey water."""
    y, x = np.mgrid[-1:1:16j, -1:1:32j]
    x = np.abs(x + rng.normal(0, 0.04))
    fluke = (x < 0.95) & (y > -tips * x - 0.1 + notch * (x < 0.1)) & (y < 0.7 - 0.6 * x)
    white = np.hypot(x - patch, y - 0.05) < size
    picture = np.where(fluke, np.where(white, 230, shade), 150 + rng.normal(0, 6))
    return picture_bytes(np.clip(picture, 0, 255), "JPEG", quality=20)
