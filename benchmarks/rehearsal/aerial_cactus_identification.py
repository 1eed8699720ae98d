"""Thumbnails of dry ground with shrubs, and on some of them the bright, slim body of a cactus."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes, with_copies, zip_bytes

TRAIN, TEST, SIDE = 140, 6, 32


def make(rng: np.random.Generator) -> dict[str, bytes]:
    names = [f"{id}.jpg" for id in hexadecimal_ids(rng, TRAIN + TEST, digits=32)]
    has_cactus = (rng.random(len(names)) < 0.7).astype(int)
    drawn = with_copies(rng, [make_picture(rng, bool(cactus)) for cactus in has_cactus], has_cactus, share=0.2)
    pictures = dict(zip(names, drawn, strict=True))
    frame = pd.DataFrame({"id": names, "has_cactus": has_cactus})
    return {
        "train.csv": csv_bytes(frame.iloc[:TRAIN]),
        "sample_submission.csv": csv_bytes(frame.iloc[TRAIN:].assign(has_cactus=0.5)),
        "train.zip": zip_bytes({f"train/{name}": pictures[name] for name in names[:TRAIN]}),
        "test.zip": zip_bytes({f"test/{name}": pictures[name] for name in names[TRAIN:]}),
    }


def make_picture(rng: np.random.Generator, cactus: bool) -> bytes:
    y, x = np.mgrid[:SIDE, :SIDE]
    picture = np.full((SIDE, SIDE, 3), [150.0, 130.0, 110.0]) + rng.normal(0, 12)
    for _ in range(rng.integers(0, 3)):  # shrubs
        row, column, size = rng.uniform(0, SIDE), rng.uniform(0, SIDE), rng.uniform(3, 8)
        picture[np.hypot(y - row, x - column) < size] = [80, 95, 60]
    if cactus:
        row, column = rng.uniform(8, SIDE - 8, 2)
        turn = rng.uniform(-0.5, 0.5)
        along, across = (y - row) + turn * (x - column), (x - column) - turn * (y - row)
        picture[(np.abs(along) < 9) & (np.abs(across) < rng.uniform(1.5, 2.5))] = [175, 190, 150]
    return picture_bytes(np.clip(picture, 0, 255), "JPEG", quality=25)
