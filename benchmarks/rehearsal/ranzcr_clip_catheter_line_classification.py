"""Chests as grey shadows with bright lines; the lower end of a line shows how well it is placed.

Images of a patient have one size, and mostly the same lines.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes, tfrecord_bytes

TRAIN, TEST, PATIENTS, SIDE, SIZES = 160, 4, 46, 32, 7
LENGTHS = {
    "ETT - Abnormal": 6,
    "ETT - Borderline": 10,
    "ETT - Normal": 14,
    "NGT - Abnormal": 8,
    "NGT - Borderline": 16,
    "NGT - Incompletely Imaged": 32,
    "NGT - Normal": 24,
    "CVC - Abnormal": 22,
    "CVC - Borderline": 17,
    "CVC - Normal": 12,
    "Swan Ganz Catheter Present": 28,
}
"""The row at which the line of each label ends."""
COLUMNS = {"ETT": 14, "NGT": 19, "CVC": 7, "Swa": 26}


def make(rng: np.random.Generator) -> dict[str, bytes]:
    count, names = TRAIN + TEST, list(LENGTHS)
    patient = rng.integers(0, PATIENTS, count)
    first = np.unique(patient, return_index=True, return_inverse=True)[1:]
    model = np.where(rng.random(count) < 0.8, first[0][first[1]], np.arange(count))  # whose labels an image has
    labels = np.zeros((count, len(names)), dtype=int)
    for kind, share_without in (("ETT", 0.25), ("NGT", 0.15)):  # one of a kind at most
        places = [place for place, name in enumerate(names) if name.startswith(kind)]
        drawn = rng.choice([*places, -1], count, p=[*[(1 - share_without) / len(places)] * len(places), share_without])
        labels[drawn >= 0, drawn[drawn >= 0]] = 1
    labels[:, 7:] = rng.random((count, 4)) < [0.3, 0.35, 0.5, 0.2]
    labels = labels[model]
    ids = [f"1.2.826.0.1.3680043.8.498.{''.join(map(str, rng.integers(0, 10, 38)))}" for _ in range(count)]
    patients = np.array(hexadecimal_ids(rng, PATIENTS, digits=9))
    frame = pd.DataFrame({"StudyInstanceUID": ids, **dict(zip(names, labels.T, strict=True))})
    train = frame.iloc[:TRAIN].assign(PatientID=patients[patient[:TRAIN]])
    pictures = {
        id: make_picture(rng, [names[place] for place in np.flatnonzero(row)], number)
        for id, row, number in zip(ids, labels, patient, strict=True)
    }
    files = {
        "train.csv": csv_bytes(train),
        "train_annotations.csv": csv_bytes(make_annotations(rng, train)),
        "sample_submission.csv": csv_bytes(frame.iloc[TRAIN:].assign(**dict.fromkeys(names, 0))),
    }
    for part, first, last in (("train", 0, TRAIN), ("test", TRAIN, count)):
        files |= {f"{part}/{id}.jpg": pictures[id] for id in ids[first:last]}
        records = [{"StudyInstanceUID": id.encode(), "image": pictures[id]} for id in ids[first : first + 2]]
        files[f"{part}_tfrecords/00-{len(records)}.tfrec"] = tfrecord_bytes(records)
    return files


def make_annotations(rng: np.random.Generator, train: pd.DataFrame) -> pd.DataFrame:
    """Return the points of the lines of every other image, in pixels of a large picture."""
    rows = []
    for row in train.iloc[::2].to_dict("records"):
        for name in LENGTHS:
            if row[name]:
                column, last = 80 * COLUMNS[name[:3]], 80 * LENGTHS[name]
                points = [[column + int(rng.integers(-40, 40)), place] for place in range(0, last + 1, 480)]
                rows.append({"StudyInstanceUID": row["StudyInstanceUID"], "label": name, "data": str(points)})
    return pd.DataFrame(rows)


def make_picture(rng: np.random.Generator, present: list[str], patient: int) -> bytes:
    y, x = np.mgrid[: SIDE + patient // SIZES, : SIDE + patient % SIZES]
    lungs = np.minimum(np.hypot((x - 9) / 6, (y - 16) / 11), np.hypot((x - 23) / 6, (y - 16) / 11)) < 1
    picture = np.where(lungs, 60.0, 130.0) + rng.normal(0, 8)
    for name in present:
        picture[: LENGTHS[name], COLUMNS[name[:3]]] = 230
    return picture_bytes(np.clip(picture, 0, 255), "JPEG", quality=20)
