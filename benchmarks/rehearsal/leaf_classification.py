"""Leaves of 99 species: each species has its own outline and its own means of the 192 features."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, picture_bytes, zip_bytes
from mlebench.competitions.leaf_classification.task import SPECIES

PER_SPECIES, TEST, SIDE = 3, 10, 24
GROUPS = {"margin": 128, "shape": 2048, "texture": 256}
"""The features of each group are multiples of one over this number."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    species = rng.permutation(np.repeat(np.arange(len(SPECIES)), PER_SPECIES))
    species = np.concatenate([species, rng.choice(len(SPECIES), TEST)])
    ids = rng.permutation(len(species)) + 1
    known = np.arange(len(species)) < len(species) - TEST
    features = make_features(rng, species)
    names = np.array(SPECIES)[species]
    leaves = pd.DataFrame({"id": ids, "species": names, **features})
    train = leaves[known].sort_values("id")
    test = leaves[~known].drop(columns="species").sort_values("id")
    sample = pd.DataFrame({"id": test["id"], **dict.fromkeys(SPECIES, 1 / len(SPECIES))})
    pictures = make_pictures(rng, species)
    return {
        "train.csv.zip": zip_bytes({"train.csv": csv_bytes(train)}),
        "test.csv.zip": zip_bytes({"test.csv": csv_bytes(test)}),
        "sample_submission.csv.zip": zip_bytes({"sample_submission.csv": csv_bytes(sample)}),
        "images.zip": zip_bytes({f"images/{id}.jpg": data for id, data in zip(ids, pictures, strict=True)}),
    }


def make_features(rng: np.random.Generator, species: np.ndarray) -> dict[str, np.ndarray]:
    features = {}
    for group, scale in GROUPS.items():
        means = rng.choice([0, 1, 2, 4, 6], (len(SPECIES), 64), p=[0.45, 0.2, 0.15, 0.1, 0.1])
        noise = rng.choice([-1, 0, 1], (len(species), 64), p=[0.1, 0.8, 0.1])
        counts = np.maximum(0, means[species] + noise)
        features |= {f"{group}{place + 1}": np.round(counts[:, place] / scale, 6) for place in range(64)}
    return features


def make_pictures(rng: np.random.Generator, species: np.ndarray) -> list[bytes]:
    """Return white silhouettes on black, an ellipse with lobes, the width depending on the species."""
    lobes, depth = rng.integers(3, 9, len(SPECIES)), rng.uniform(0.05, 0.4, len(SPECIES))
    slim = rng.uniform(0.4, 1, len(SPECIES))
    pictures = []
    for kind in species:
        width = SIDE + 8 * int(rng.integers(0, 2))
        y, x = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : width * 1j]
        angle = np.arctan2(y, x / slim[kind]) + rng.normal(0, 0.1)
        edge = 0.9 * (1 - depth[kind] * (1 + np.cos(lobes[kind] * angle)) / 2)
        leaf = np.hypot(x / slim[kind], y) < edge
        pictures.append(picture_bytes(255 * leaf, "JPEG", quality=20))
    return pictures
