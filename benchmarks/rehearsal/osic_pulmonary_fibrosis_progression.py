"""Patients whose lung function declines in a straight line; the steeper the decline, the brighter the scan."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.formats import dicom_bytes
from benchmarks.rehearsal.making import csv_bytes

PATIENTS, TEST, SLICES, SIDE = 30, 2, 2, 12
FEW_VISITS = 3
"""Visits of every third patient; the others have six to nine."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    patients = sorted(f"ID{number:05}637202{rng.integers(10**14, 10**15)}" for number in rng.integers(7, 426, PATIENTS))
    visits, files = [], {}
    for number, patient in enumerate(patients):
        slope = float(rng.uniform(-12, 1))
        history = make_visits(rng, patient, slope)
        if number % 3 == 1:
            history = history.iloc[:FEW_VISITS]
        visits.append(history)
        for place in range(1, SLICES + 1):
            pixels = np.clip(rng.normal(110 - 8 * slope, 15, (SIDE, SIDE)), 0, 255) // 4 * 4
            picture = dicom_bytes(pixels, {0x00100020: ("LO", patient)}, f"2.25.{number + 1}{place:02}")
            files[f"train/{patient}/{place}.dcm"] = picture
            if number < TEST:
                files[f"test/{patient}/{place}.dcm"] = picture
    table = pd.concat(visits)
    first = pd.concat([history.iloc[:1] for history in visits[:TEST]])
    weeks = [f"{patient}_{week}" for week in range(-12, 134, 20) for patient in patients[:TEST]]
    sample = pd.DataFrame({"Patient_Week": weeks, "FVC": 2000, "Confidence": 100})
    return {
        "train.csv": csv_bytes(table),
        "test.csv": csv_bytes(first),
        "sample_submission.csv": csv_bytes(sample),
        **files,
    }


def make_visits(rng: np.random.Generator, patient: str, slope: float) -> pd.DataFrame:
    weeks = int(rng.integers(-4, 20)) + np.concatenate([[0], np.cumsum(rng.integers(2, 9, int(rng.integers(5, 9))))])
    start, typical = rng.uniform(1800, 3600), rng.uniform(2800, 4200)
    capacity = (start + slope * (weeks - weeks[0]) + rng.normal(0, 60, len(weeks))).astype(int)
    return pd.DataFrame(
        {
            "Patient": patient,
            "Weeks": weeks,
            "FVC": capacity,
            "Percent": 100 * capacity / typical,
            "Age": int(rng.integers(50, 85)),
            "Sex": str(rng.choice(["Male", "Female"], p=[0.8, 0.2])),
            "SmokingStatus": str(rng.choice(["Ex-smoker", "Never smoked", "Currently smokes"], p=[0.65, 0.3, 0.05])),
        }
    )
