"""Patches of pink tissue with nuclei as dark cells; patches with a tumour have large ones in the centre."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes

TRAIN, TEST, CELLS, CELL = 120, 32, 12, 8
"""A patch is made of 12 x 12 cells of 8 x 8 pixels of one colour: zip archives compress such TIFF files well."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = hexadecimal_ids(rng, TRAIN + TEST, digits=40)
    label = (rng.random(len(ids)) < 0.4).astype(int)
    frame = pd.DataFrame({"id": ids, "label": label})
    files = {
        "train_labels.csv": csv_bytes(frame.iloc[:TRAIN]),
        "sample_submission.csv": csv_bytes(frame.iloc[TRAIN:].assign(label=0)),
    }
    for place, (id, positive) in enumerate(zip(ids, label, strict=True)):
        part = "train" if place < TRAIN else "test"
        files[f"{part}/{id}.tif"] = make_patch(rng, bool(positive))
    return files


def make_patch(rng: np.random.Generator, positive: bool) -> bytes:
    nuclei = rng.random((CELLS, CELLS)) < 0.15
    middle = slice(CELLS // 2 - 2, CELLS // 2 + 2)
    nuclei[middle, middle] = rng.random((4, 4)) < (0.6 if positive else 0.15)
    colours = np.where(nuclei[..., np.newaxis], [110, 60, 140], [225, 170, 200])
    return picture_bytes(colours.repeat(CELL, axis=0).repeat(CELL, axis=1), "TIFF")
