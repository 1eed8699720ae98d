"""Layers of rock with a smooth body of salt in front of some of them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes, zip_bytes

TRAIN, TEST, SIDE = 84, 4, 101
LEVELS, STEP = 4, 4
"""Shades of grey, and the number of neighbouring equal pixels; both keep the files small."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = hexadecimal_ids(rng, TRAIN + TEST)
    masks, images, depths = [], [], []
    for _ in ids:
        depth = int(rng.integers(50, 960))
        mask = make_mask(rng, depth)
        depths.append(depth)
        masks.append(mask)
        images.append(make_image(rng, mask))
    train = pd.DataFrame({"id": ids[:TRAIN], "rle_mask": [encode(mask) for mask in masks[:TRAIN]]})
    sample = pd.DataFrame({"id": ids[TRAIN:], "rle_mask": "1 1"})
    all_depths = csv_bytes(pd.DataFrame({"id": ids, "z": depths}))

    data = {
        "train.csv": csv_bytes(train),
        "depths.csv": all_depths,
        "sample_submission.csv": csv_bytes(sample),
    }
    for place, id in enumerate(ids):
        part = "train" if place < TRAIN else "test"
        data[f"{part}/images/{id}.png"] = picture_bytes(images[place], "PNG")
        if part == "train":
            data[f"train/masks/{id}.png"] = picture_bytes(255 * masks[place], "PNG")
    return {
        "competition_data.zip": zip_bytes({f"competition_data/{name}": file for name, file in data.items()}),
        "depths.csv": all_depths,
        "train.csv": data["train.csv"],
        "sample_submission.csv": data["sample_submission.csv"],
    }


def make_mask(rng: np.random.Generator, depth: int) -> np.ndarray:
    """Return a dome that rises from below, or nothing (more often at small depths), or salt everywhere."""
    draw = rng.random()
    if draw < 0.55 - depth / 3000:
        return np.zeros((SIDE, SIDE), dtype=bool)
    if draw > 0.95:
        return np.ones((SIDE, SIDE), dtype=bool)
    y, x = np.mgrid[:SIDE, :SIDE]
    centre, width, top = rng.uniform(0, SIDE), rng.uniform(20, 60), rng.uniform(5, 70)
    return y > top + ((x - centre) / width) ** 2 * 50


def make_image(rng: np.random.Generator, mask: np.ndarray) -> np.ndarray:
    """Return sediment as bright, bent stripes and salt as an even grey with a bright border on top."""
    y, x = np.mgrid[:SIDE, :SIDE]
    x = x // STEP * STEP
    bend = rng.uniform(-0.5, 0.5) * x + rng.uniform(3, 12) * np.sin(x / rng.uniform(15, 40))
    stripes = 0.5 + 0.5 * np.sin((y + bend) / rng.uniform(2.5, 5))
    salt = np.full(mask.shape, 0.35 + 0.1 * rng.random())
    border = mask & ~np.roll(mask, 3, axis=0)
    border[:3] = False
    picture = np.where(mask, np.where(border, 1, salt), stripes)
    return np.round(picture * (LEVELS - 1)) * (255 // (LEVELS - 1))


def encode(mask: np.ndarray) -> str:
    """Return the run-length code: pixels from 1, top to bottom, then left to right."""
    flat = np.concatenate([[False], mask.T.ravel(), [False]])
    edges = np.flatnonzero(flat[1:] != flat[:-1])
    return " ".join(f"{start + 1} {stop - start}" for start, stop in edges.reshape(-1, 2))
