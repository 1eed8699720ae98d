"""Seedlings from above: each species has its own number, length and width of leaves and its own green."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes, with_copies

SPECIES = [
    "Black-grass",
    "Charlock",
    "Cleavers",
    "Common Chickweed",
    "Common wheat",
    "Fat Hen",
    "Loose Silky-bent",
    "Maize",
    "Scentless Mayweed",
    "Shepherds Purse",
    "Small-flowered Cranesbill",
    "Sugar beet",
]
TRAIN, TEST = 180, 6


def make(rng: np.random.Generator) -> dict[str, bytes]:
    species = np.concatenate([np.arange(len(SPECIES)), rng.choice(len(SPECIES), TRAIN + TEST - len(SPECIES))])
    leaves, length, slim = rng.integers(2, 7, 12), rng.uniform(0.4, 1, 12), rng.uniform(0.1, 0.4, 12)
    green = rng.uniform([20, 90, 20], [110, 200, 90], (12, 3))
    names = [f"{name}.png" for name in hexadecimal_ids(rng, TRAIN + TEST, digits=9)]
    pictures = [make_picture(rng, leaves[kind], length[kind], slim[kind], green[kind]) for kind in species]
    pictures = with_copies(rng, pictures, species, share=0.2)
    data = {}
    for place, (name, kind, picture) in enumerate(zip(names, species, pictures, strict=True)):
        folder = f"train/{SPECIES[kind]}" if place < TRAIN else "test"
        data[f"{folder}/{name}"] = picture
    sample = pd.DataFrame({"file": names[TRAIN:], "species": "Sugar beet"})
    return {**data, "sample_submission.csv": csv_bytes(sample)}


def make_picture(rng: np.random.Generator, leaves: int, length: float, slim: float, green: np.ndarray) -> bytes:
    """Return leaves around a centre on brown soil; their size depends on the plant's age."""
    side = 20 + 4 * int(rng.integers(0, 3))
    y, x = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]
    turn, size = rng.uniform(0, 2 * np.pi), length * rng.uniform(0.8, 1.1)
    plant = np.zeros(x.shape, dtype=bool)
    for angle in turn + 2 * np.pi * np.arange(leaves) / leaves:
        along, across = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
        plant |= np.hypot((along - size / 2) / (size / 2), across / (slim * size)) < 1
    return picture_bytes(np.where(plant[..., np.newaxis], green + rng.integers(-8, 9), [120, 90, 70]), "PNG")
