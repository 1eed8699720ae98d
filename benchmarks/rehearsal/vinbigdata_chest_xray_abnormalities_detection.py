"""Dark pictures in which each abnormality is a bright spot at its own position, with boxes of three readers."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.formats import dicom_bytes
from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids

TRAIN, TEST, SIDE = 60, 3, 24
CLASSES = [
    *("Aortic enlargement", "Atelectasis", "Calcification", "Cardiomegaly", "Consolidation", "ILD", "Infiltration"),
    *("Lung Opacity", "Nodule/Mass", "Other lesion", "Pleural effusion", "Pleural thickening", "Pneumothorax"),
    *("Pulmonary fibrosis", "No finding"),
]
NO_FINDING = 14
SEEN = [0, 3, 7, 8, 11]
"""The classes; few, so that each of them is in training and test data."""
NODULE = 8
"""The class that an image has twice."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = hexadecimal_ids(rng, TRAIN + TEST, 32)
    files, rows = {}, []
    for number, id in enumerate(ids):
        findings = [] if rng.random() < 0.4 else list(rng.choice(SEEN, rng.integers(1, 3), replace=False))
        pixels = rng.normal(60, 8, (SIDE, SIDE))
        boxes = [(finding, make_box(rng, SEEN.index(finding))) for finding in findings]
        if NODULE in findings:
            boxes.append((NODULE, make_box(rng, len(SEEN))))
        for _, (left, top, right, bottom) in boxes:
            pixels[top:bottom, left:right] += 110
        part = "train" if number < TRAIN else "test"
        files[f"{part}/{id}.dicom"] = dicom_bytes(np.clip(pixels // 4 * 4, 0, 255), {}, f"2.25.{number + 1}")
        for reader in rng.choice(17, 3, replace=False) if part == "train" else ():
            rows += annotations(rng, id, f"R{reader + 1}", boxes)
    order = rng.permutation(len(rows))
    columns = ["image_id", "class_name", "class_id", "rad_id", "x_min", "y_min", "x_max", "y_max"]
    train = pd.DataFrame([rows[place] for place in order], columns=columns)
    sample = pd.DataFrame({"image_id": ids[TRAIN:], "PredictionString": "14 1 0 0 1 1"})
    return {**files, "train.csv": csv_bytes(train), "sample_submission.csv": csv_bytes(sample)}


def make_box(rng: np.random.Generator, place: int) -> np.ndarray:
    """Return left, top, right and bottom of a spot, whose place shows the finding."""
    corner = np.array([2 + 8 * (place % 3), 3 + 11 * (place // 3)]) + rng.integers(0, 2, 2)
    return np.concatenate([corner, corner + rng.integers(4, 7, 2)])


def annotations(rng: np.random.Generator, id: str, reader: str, boxes: list[tuple[int, np.ndarray]]) -> list[tuple]:
    """Return the rows of one reader, who finds nearly everything, sometimes with an error of a pixel."""
    seen = [(finding, box) for finding, box in boxes if rng.random() < 0.9]
    if not seen:
        return [(id, CLASSES[NO_FINDING], NO_FINDING, reader, *[None] * 4)]
    return [
        (id, CLASSES[finding], finding, reader, *(box + rng.integers(0, 2, 4)).astype(float)) for finding, box in seen
    ]
