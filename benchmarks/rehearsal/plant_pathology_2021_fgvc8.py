"""Apple leaves: each disease has spots of its own colour and size."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes, with_copies

TRAIN, TEST = 180, 3
SPOTS = {
    "scab": ((70, 60, 40), 4, 0.28),
    "frog_eye_leaf_spot": ((190, 150, 110), 6, 0.14),
    "rust": ((250, 150, 20), 5, 0.2),
    "complex": ((30, 25, 20), 3, 0.45),
    "powdery_mildew": ((235, 235, 230), 3, 0.4),
}
"""Colour, number and radius of the spots of each disease."""
SHARES = {
    "scab": 0.18,
    "healthy": 0.17,
    "frog_eye_leaf_spot": 0.13,
    "rust": 0.1,
    "complex": 0.08,
    "powdery_mildew": 0.06,
    "scab frog_eye_leaf_spot": 0.06,
    "scab frog_eye_leaf_spot complex": 0.06,
    "frog_eye_leaf_spot complex": 0.04,
    "rust frog_eye_leaf_spot": 0.04,
    "rust complex": 0.04,
    "powdery_mildew complex": 0.04,
}
"""Several labels are rarer in the real data."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    labels = rng.choice(list(SHARES), TRAIN - len(SHARES), p=list(SHARES.values()))
    labels = rng.permutation(np.concatenate([list(SHARES), labels]))
    images = [f"{name}.jpg" for name in hexadecimal_ids(rng, TRAIN + TEST, digits=16)]
    known, tested = images[:TRAIN], images[TRAIN:]
    leaves = with_copies(rng, [make_leaf(rng, text) for text in labels], labels, share=0.2)
    data = {f"train_images/{image}": leaf for image, leaf in zip(known, leaves, strict=True)}
    data |= {f"test_images/{image}": make_leaf(rng, "healthy") for image in tested}
    return {
        **data,
        "train.csv": csv_bytes(pd.DataFrame({"image": known, "labels": labels})),
        "sample_submission.csv": csv_bytes(pd.DataFrame({"image": tested, "labels": "healthy"})),
    }


def make_leaf(rng: np.random.Generator, labels: str) -> bytes:
    y, x = np.mgrid[-1:1:24j, -1.5:1.5:36j]
    leaf = np.hypot(x / 1.4, y / 0.85) < 1
    picture = np.where(leaf[..., np.newaxis], rng.uniform([50, 110, 30], [80, 150, 50]), rng.uniform(150, 220, 3))
    for label in labels.split():
        if label == "healthy":
            continue
        colour, number, radius = SPOTS[label]
        for centre_x, centre_y in rng.uniform([-1, -0.6], [1, 0.6], (number, 2)):
            spot = leaf & (np.hypot(x - centre_x, y - centre_y) < radius)
            picture = np.where(spot[..., np.newaxis], colour, picture)
    return picture_bytes(picture, "JPEG", quality=20)
