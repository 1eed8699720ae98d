"""Bursts of animals in front of each camera's background; some photos show two kinds and have two rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, zip_bytes
from benchmarks.rehearsal.traps import SIDE, make_bursts

if TYPE_CHECKING:
    import numpy as np

CLASSES = [0, 1, 3, 4, 8, 11, 13, 16]
CAMERAS, BURSTS, TESTS = 21, 75, 2


def make(rng: np.random.Generator) -> dict[str, bytes]:
    locations = rng.choice(139, CAMERAS, replace=False).tolist()
    photos = list(make_bursts(rng, locations, len(CLASSES), BURSTS + TESTS))
    table = pd.DataFrame(
        {
            "category_id": [CLASSES[photo.kind] for photo in photos],
            "date_captured": [photo.time.strftime("%Y-%m-%d %H:%M:%S") for photo in photos],
            "file_name": [f"{photo.id}.jpg" for photo in photos],
            "frame_num": [photo.frame for photo in photos],
            "id": [photo.id for photo in photos],
            "location": [photo.location for photo in photos],
            "rights_holder": [["Somebody", "Nobody, Ltd."][photo.location % 2] for photo in photos],
            "seq_id": [photo.sequence for photo in photos],
            "seq_num_frames": [photo.frames for photo in photos],
            "width": SIDE,
            "height": SIDE,
        }
    )
    in_test = table["seq_id"].isin(table["seq_id"].unique()[-TESTS:])
    train, test = table[~in_test], table[in_test].drop(columns="category_id")
    company = train[train["category_id"] > 0].sample(6, random_state=int(rng.integers(2**31)))
    second = company.assign(category_id=rng.choice(CLASSES[1:], len(company)))
    train = pd.concat([train, second]).sample(frac=1, random_state=int(rng.integers(2**31)))
    pictures = {f"{photo.id}.jpg": photo.picture for photo in photos}
    return {
        "train.csv": csv_bytes(train),
        "test.csv": csv_bytes(test),
        "sample_submission.csv": csv_bytes(pd.DataFrame({"Id": test["id"], "Category": 0})),
        "train_images.zip": zip_bytes({name: pictures[name] for name in train["file_name"]}),
        "test_images.zip": zip_bytes({name: pictures[name] for name in test["file_name"]}),
    }
