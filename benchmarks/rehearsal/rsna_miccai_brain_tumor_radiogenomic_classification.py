"""Grey heads with a spot, which is bright in some scans and larger if methylation is present."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.formats import dicom_bytes
from benchmarks.rehearsal.making import csv_bytes
from mlebench.competitions.rsna_miccai_brain_tumor_radiogenomic_classification.task import FAULTY

TRAIN, TEST, SIDE = 60, 3, 16
SPOT = {"FLAIR": 220, "T1w": 90, "T1wCE": 250, "T2w": 200}
"""Brightness of the spot in each kind of scan."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    others = rng.permutation(np.setdiff1d(np.arange(1010), [int(id) for id in FAULTY]))[: TRAIN + TEST - len(FAULTY)]
    ids = sorted([*FAULTY, *(f"{number:05}" for number in others)])
    hidden = set(rng.choice([id for id in ids if id not in FAULTY], TEST, replace=False))
    known = [id for id in ids if id not in hidden]
    labels = pd.DataFrame({"BraTS21ID": known, "MGMT_value": rng.permutation(np.arange(TRAIN) % 2)})
    sample = pd.DataFrame({"BraTS21ID": sorted(hidden), "MGMT_value": 0.5})
    files = {"train_labels.csv": csv_bytes(labels), "sample_submission.csv": csv_bytes(sample)}
    methylated = dict(zip(known, labels["MGMT_value"], strict=True))
    for id in ids:
        radius = rng.uniform(0.15, 0.35) + 0.2 * methylated.get(id, 0)
        place = rng.uniform(-0.3, 0.3, 2)
        part = "test" if id in hidden else "train"
        for number, (scan, brightness) in enumerate(SPOT.items()):
            if scan == "T2w" and rng.random() < 0.05:
                continue
            picture = dicom_bytes(make_pixels(place, radius, brightness), {}, f"2.25.9{id}{number}")
            files[f"{part}/{id}/{scan}/Image-{rng.integers(1, 400)}.dcm"] = picture
    return files


def make_pixels(place: np.ndarray, radius: float, brightness: int) -> np.ndarray:
    y, x = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    head = np.where(np.hypot(x, y) < 0.95, 120, 0)
    return np.where(np.hypot(x - place[0], y - place[1]) < radius, brightness, head)
