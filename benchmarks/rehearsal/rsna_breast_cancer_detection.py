"""Half-discs of grey tissue, with a bright spot in most breasts that have cancer."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.formats import dicom_bytes
from benchmarks.rehearsal.making import csv_bytes

PATIENTS, TEST, SIDE = 60, 2, 14
UNKNOWN_IN_TEST = ["cancer", "biopsy", "invasive", "BIRADS", "density", "difficult_negative_case"]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    patients = sorted(rng.choice(60_000, PATIENTS + TEST, replace=False))
    numbers = iter(rng.choice(2**31, 8 * len(patients), replace=False))
    hidden = set(rng.choice(patients, TEST, replace=False))
    rows, files = [], {}
    for patient in patients:
        facts = {"site_id": int(rng.integers(1, 3)), "patient_id": patient, "age": float(rng.integers(40, 80))}
        machine = int(rng.choice([21, 29, 48, 49]))
        for side in ("L", "R")[: 1 if rng.random() < 0.03 else 2]:
            ill = rng.random() < 0.25
            for view in ("CC", "MLO")[: 1 + int(rng.random() < 0.3)]:
                image = next(numbers)
                rows.append({**facts, **make_findings(rng, ill), "image_id": image, "laterality": side, "view": view})
                rows[-1] |= {"implant": 0, "machine_id": machine}
                part = "test" if patient in hidden else "train"
                picture = dicom_bytes(make_pixels(rng, side, ill), {0x00100020: ("LO", str(patient))}, f"2.25.{image}")
                files[f"{part}_images/{patient}/{image}.dcm"] = picture
    columns = "site_id patient_id image_id laterality view age cancer biopsy invasive BIRADS implant density machine_id"
    table = pd.DataFrame(rows)[[*columns.split(), "difficult_negative_case"]]
    in_test = table["patient_id"].isin(hidden)
    breasts = table["patient_id"].astype(str) + "_" + table["laterality"]
    test = table[in_test].drop(columns=UNKNOWN_IN_TEST).assign(prediction_id=breasts)
    sample = test[["prediction_id"]].drop_duplicates().assign(cancer=0.02)
    return {
        "train.csv": csv_bytes(table[~in_test]),
        "test.csv": csv_bytes(test),
        "sample_submission.csv": csv_bytes(sample),
        **files,
    }


def make_findings(rng: np.random.Generator, ill: bool) -> dict[str, object]:
    return {
        "cancer": int(ill),
        "biopsy": int(ill or rng.random() < 0.05),
        "invasive": int(ill and rng.random() < 0.7),
        "BIRADS": None if rng.random() < 0.5 else 0.0 if ill else float(rng.integers(0, 3)),
        "density": None if rng.random() < 0.4 else str(rng.choice(list("ABCD"))),
        "difficult_negative_case": bool(not ill and rng.random() < 0.1),
    }


def make_pixels(rng: np.random.Generator, side: str, ill: bool) -> np.ndarray:
    y, x = np.mgrid[-1 : 1 : SIDE * 1j, 0 : 1 : SIDE * 1j]
    tissue = np.where(np.hypot(x, y) < 0.9, 110 + 5 * rng.integers(-4, 5), 0)
    if rng.random() < (0.85 if ill else 0.1):
        tissue = np.where(np.hypot(x - rng.uniform(0.2, 0.5), y - rng.uniform(-0.4, 0.4)) < 0.2, 230, tissue)
    return tissue if side == "L" else tissue[:, ::-1]
