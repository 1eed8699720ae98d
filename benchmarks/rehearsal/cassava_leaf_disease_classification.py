"""Drawn leaves: each disease has its own colours, and the mosaic is the most frequent."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, picture_bytes, tfrecord_bytes, with_copies

RECORD_FILES, PER_FILE, TEST, SIDE = 16, 7, 1, 12
DISEASES = [
    "Cassava Bacterial Blight (CBB)",
    "Cassava Brown Streak Disease (CBSD)",
    "Cassava Green Mottle (CGM)",
    "Cassava Mosaic Disease (CMD)",
    "Healthy",
]
SHARES = [0.1, 0.12, 0.12, 0.54, 0.12]
SPOTS = np.array([[150, 90, 40], [90, 60, 20], [190, 220, 120], [230, 220, 60], [60, 150, 50]])
"""Colour of the spots of each class; those of healthy leaves are invisible."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    rows = RECORD_FILES * PER_FILE
    names = [f"{number}.jpg" for number in rng.choice(4_000_000_000, rows + TEST, replace=False)]
    labels = rng.choice(len(DISEASES), rows + TEST, p=SHARES)
    pictures = with_copies(rng, [make_picture(rng, label) for label in labels], labels, share=0.3)
    records = [
        {"image": picture, "image_name": name.encode(), "target": int(label)}
        for name, label, picture in zip(names, labels, pictures, strict=True)
    ]
    files = {
        "train.csv": csv_bytes(
            pd.DataFrame({"image_id": names[:rows], "label": labels[:rows]}).sort_values("image_id")
        ),
        "sample_submission.csv": csv_bytes(pd.DataFrame({"image_id": names[rows:], "label": 4})),
        "label_num_to_disease_map.json": json.dumps(dict(enumerate(DISEASES))).encode() + b"\n",
        f"test_tfrecords/ld_test00-{TEST}.tfrec": tfrecord_bytes(records[rows:]),
    }
    for number in range(RECORD_FILES):
        some = records[number * PER_FILE : (number + 1) * PER_FILE]
        files[f"train_tfrecords/ld_train{number:02}-{PER_FILE}.tfrec"] = tfrecord_bytes(some)
    for place, (name, picture) in enumerate(zip(names, pictures, strict=True)):
        files[f"{'train' if place < rows else 'test'}_images/{name}"] = picture
    return files


def make_picture(rng: np.random.Generator, label: int) -> bytes:
    """Return a green leaf with a row of spots, in random brightness."""
    y, x = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    pixels = np.full((SIDE, SIDE, 3), [110.0, 90.0, 70.0])
    pixels[np.hypot(x, y / 0.8) < 1] = [60, 150, 50]
    pixels[(np.hypot(x, y) < 0.9) & (np.sin(6 * x + rng.uniform(0, 6)) > 0.3)] = SPOTS[label]
    return picture_bytes(np.clip(pixels * rng.uniform(0.8, 1.15), 0, 255), "JPEG", quality=20)
