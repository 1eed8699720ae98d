"""Skin with a brown spot; malignant ones are larger, darker and less round, and more frequent in old patients."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.formats import dicom_bytes
from benchmarks.rehearsal.making import csv_bytes, picture_bytes, tfrecord_bytes, with_copies

FILES, PER_FILE, LONE, TEST, PER_PATIENT, SIDE = 16, 5, 2, 3, 5, 20
COPIED = 0.4
"""TFRecord files, pictures in each, pictures in none, Kaggle's test pictures, pictures per patient, pixels; copies."""
SITES = ["head/neck", "upper extremity", "lower extremity", "torso", "palms/soles", "oral/genital", None]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    count = FILES * PER_FILE + LONE + TEST
    lesions = make_lesions(rng, count)
    train, test = lesions.iloc[:-TEST], lesions.iloc[-TEST:]
    known = ["image_name", "patient_id", "sex", "age_approx", "anatom_site_general_challenge"]
    pixels = dict(zip(lesions["image_name"], (make_pixels(rng, bool(t)) for t in lesions["target"]), strict=True))
    pictures = [picture_bytes(picture, "JPEG", quality=25) for picture in pixels.values()]
    jpegs = dict(zip(pixels, with_copies(rng, pictures, lesions["target"], COPIED), strict=True))
    files = {
        "train.csv": csv_bytes(train),
        "test.csv": csv_bytes(test[known]),
        "sample_submission.csv": csv_bytes(test[["image_name"]].assign(target=0)),
    }
    for part, frame in (("train", train), ("test", test)):
        for name, patient in zip(frame["image_name"], frame["patient_id"], strict=True):
            uid = f"2.25.{name.removeprefix('ISIC_').lstrip('0')}"
            files[f"{part}/{name}.dcm"] = dicom_bytes(pixels[name], {0x00100020: ("LO", patient)}, uid)
            files[f"jpeg/{part}/{name}.jpg"] = jpegs[name]

    def records(frame: pd.DataFrame, *features: str) -> bytes:
        rows = frame[["image_name", *features]].to_dict("records")
        named = [{**row, "image_name": row["image_name"].encode(), "image": jpegs[row["image_name"]]} for row in rows]
        return tfrecord_bytes(named)

    order = rng.permutation(FILES * PER_FILE).reshape(FILES, PER_FILE)
    for number, rows in enumerate(order):
        name = f"tfrecords/train{number:02}-{2071 if number < FILES - 1 else 2061}.tfrec"
        files[name] = records(train.iloc[rows], "target")
    files[f"tfrecords/test00-{TEST}.tfrec"] = records(test)
    return files


def make_lesions(rng: np.random.Generator, count: int) -> pd.DataFrame:
    names = [f"ISIC_{number:07}" for number in rng.choice(9_000_000, count, replace=False) + 1_000]
    patient = rng.integers(0, count // PER_PATIENT, count)
    age = (5 * rng.integers(4, 18, count)).astype(float)
    risk = rng.choice([0.02, 0.85], count, p=[0.65, 0.35])[patient]  # what is learned about a patient helps
    target = (rng.random(count) < risk + 0.1 * (age > 50)).astype(int)
    benign = rng.choice(["nevus", "unknown", "seborrheic keratosis"], count, p=[0.3, 0.65, 0.05])
    age[rng.random(count) < 0.03] = np.nan
    return pd.DataFrame(
        {
            "image_name": names,
            "patient_id": [f"IP_{1_000_000 + 7_919 * number}" for number in patient],
            "sex": np.where(rng.random(count) < 0.03, None, np.array(["male", "female"], dtype=object)[patient % 2]),
            "age_approx": age,
            "anatom_site_general_challenge": rng.choice(np.array(SITES, dtype=object), count),
            "diagnosis": np.where(target == 1, "melanoma", benign),
            "benign_malignant": np.where(target == 1, "malignant", "benign"),
            "target": target,
        }
    )


def make_pixels(rng: np.random.Generator, malignant: bool) -> np.ndarray:
    y, x = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    angle, radius = np.arctan2(y, x), rng.uniform(0.2, 0.5) + 0.2 * malignant
    edge = radius * (1 + (0.3 * malignant + 0.05) * np.sin(rng.integers(3, 7) * angle))
    spot = np.hypot(x, y) < edge
    colour = np.array([120, 80, 60]) - 40 * malignant
    return np.clip(np.where(spot[..., np.newaxis], colour, [225, 180, 160]) + int(rng.normal(0, 10)), 0, 255)
