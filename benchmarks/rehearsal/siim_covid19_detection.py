"""Dark pictures with bright spots: at the sides typical, in the middle indeterminate, on top atypical."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.formats import dicom_bytes
from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids

TRAIN, TEST, SIDE, PAIRS = 100, 2, 20, 50
"""Studies, the side of a picture, and patients with two studies."""
ODD = {0: [0, 0, 0, 0], 1: [0, 1, 1, 0]}
"""The labels of studies that have no appearance, or two: those of the first patient."""
COLUMNS = ["Negative for Pneumonia", "Typical Appearance", "Indeterminate Appearance", "Atypical Appearance"]
PLACES = {0: [], 1: [(2, 8), (13, 8)], 2: [(8, 9)], 3: [(7, 1)]}
"""Left and top of the spots of each appearance."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    studies, images, files = [], [], {}
    several = rng.choice(TRAIN, 6, replace=False)
    ids = iter(hexadecimal_ids(rng, 4 * (TRAIN + TEST), 12))
    patients = [place // 2 if place < 2 * PAIRS else place for place in range(TRAIN + TEST)]
    appearances = rng.choice(4, TRAIN + TEST, p=[0.3, 0.35, 0.2, 0.15])
    for number, patient in enumerate(patients):
        study, appearance = next(ids), int(appearances[patient])
        studies.append((f"{study}_study", *ODD.get(number, np.eye(4, dtype=int)[appearance])))
        for place in range(1 + (number in several)):
            image, boxes = next(ids), make_boxes(rng, appearance if place == 0 else 0)
            images.append((f"{image}_image", *describe(boxes), study))
            pixels = make_pixels(rng, boxes)
            uid = f"2.25.{int(image, 16)}"
            part = "train" if number < TRAIN else "test"
            files[f"{part}/{study}/{next(ids)}/{image}.dcm"] = dicom_bytes(
                pixels, {0x00100020: ("LO", f"{1000 + patient}")}, uid
            )
    train_studies = pd.DataFrame(studies[:TRAIN], columns=["id", *COLUMNS])
    known = {name.removesuffix("_study") for name in train_studies["id"]}
    frame = pd.DataFrame(images, columns=["id", "boxes", "label", "StudyInstanceUID"])
    of_train = frame["StudyInstanceUID"].isin(known)
    sample = [(study[0], "negative 1 0 0 1 1") for study in studies[TRAIN:]]
    sample += [(image, "none 1 0 0 1 1") for image in frame[~of_train]["id"]]
    return {
        **files,
        "train_study_level.csv": csv_bytes(train_studies.sort_values(by="id")),
        "train_image_level.csv": csv_bytes(frame[of_train].sort_values(by="id")),
        "sample_submission.csv": csv_bytes(pd.DataFrame(sample, columns=["id", "PredictionString"])),
    }


def make_boxes(rng: np.random.Generator, appearance: int) -> list[list[int]]:
    """Return x, y, width and height of the spots, in pixels of the file."""
    return [[*(np.array(place) + rng.integers(0, 2, 2)), *rng.integers(4, 7, 2)] for place in PLACES[appearance]]


def make_pixels(rng: np.random.Generator, boxes: list[list[int]]) -> np.ndarray:
    pixels = rng.normal(60, 8, (SIDE, SIDE))
    for x, y, width, height in boxes:
        pixels[y : y + height, x : x + width] += 100
    return np.clip(pixels // 8 * 8, 0, 255)


def describe(boxes: list[list[int]]) -> tuple[str | None, str]:
    """Return the cells `boxes` and `label`."""
    if not boxes:
        return None, "none 1 0 0 1 1"
    named = [dict(zip(("x", "y", "width", "height"), map(float, box), strict=True)) for box in boxes]
    label = " ".join(f"opacity 1 {x} {y} {x + width} {y + height}" for x, y, width, height in boxes)
    return str(named), label
