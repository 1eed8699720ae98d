"""Drawn retinas: the more severe the disease, the more bright and dark spots."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes, with_copies

TRAIN, TEST, SIDE, CONTRADICTIONS = 180, 6, 20, 3
SHARES = [0.49, 0.1, 0.27, 0.06, 0.08]
"""The frequency of each of the five grades."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = hexadecimal_ids(rng, TRAIN + TEST, digits=12)
    grades = rng.choice(len(SHARES), TRAIN + TEST, p=SHARES)
    train = pd.DataFrame({"id_code": ids[:TRAIN], "diagnosis": grades[:TRAIN]})
    test = pd.DataFrame({"id_code": ids[TRAIN:]})
    files = {
        "train.csv": csv_bytes(train),
        "test.csv": csv_bytes(test),
        "sample_submission.csv": csv_bytes(test.assign(diagnosis=0)),
    }
    pictures = with_copies(rng, [make_picture(rng, grade) for grade in grades], grades, share=0.2)
    pictures[:CONTRADICTIONS] = pictures[TRAIN - CONTRADICTIONS : TRAIN]
    for place, (id, picture) in enumerate(zip(ids, pictures, strict=True)):
        files[f"{'train' if place < TRAIN else 'test'}_images/{id}.png"] = picture
    return files


def make_picture(rng: np.random.Generator, grade: int) -> bytes:
    """Return an orange disc on black with a bright optic disc, and as many lesions as the grade has."""
    height, width = SIDE, SIDE + int(rng.choice([0, 4]))
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    eye = np.hypot(x, y) < 0.95
    pixels = np.zeros((height, width, 3))
    pixels[eye] = [180, 90, 30]
    pixels[np.hypot(x - 0.5, y) < 0.2] = [240, 200, 120]
    inside = np.argwhere(eye)
    for colour in ([90, 20, 10], [230, 220, 90]):
        spots = inside[rng.integers(len(inside), size=rng.poisson(5 * grade))]
        pixels[spots[:, 0], spots[:, 1]] = colour
    return picture_bytes(np.clip(pixels * rng.choice([0.8, 1, 1.15]), 0, 255), "PNG")
