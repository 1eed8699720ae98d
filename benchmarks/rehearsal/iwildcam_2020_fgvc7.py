"""Bursts of animals in front of each camera's background, with the boxes of a detector."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pandas as pd

from benchmarks.rehearsal.making import csv_bytes
from benchmarks.rehearsal.traps import SIDE, Photo, make_bursts, make_uuids

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

CLASSES = [0, 2, 3, 24, 71, 96, 372, 675]
CAMERAS, BURSTS, TESTS = 18, 80, 2
TWO_LABELS = 0.15
"""The share of photos with two annotations."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    locations = rng.choice(555, CAMERAS, replace=False).tolist()
    photos = list(make_bursts(rng, locations, len(CLASSES), BURSTS + TESTS))
    last = {photo.sequence: None for photo in reversed(photos)}
    tested = set(list(last)[:TESTS])
    train, test = ([photo for photo in photos if (photo.sequence in tested) == asked] for asked in (False, True))
    annotations = [
        {"count": int(rng.integers(1, 4)), "image_id": photo.id, "category_id": CLASSES[photo.kind], "id": id}
        for photo, id in zip(train, make_uuids(rng, len(train)), strict=True)
    ]
    second = rng.choice(len(train), int(TWO_LABELS * len(train)), replace=False)
    annotations += [
        {**annotations[row], "category_id": int(rng.choice(CLASSES)), "id": id}
        for row, id in zip(second, make_uuids(rng, len(second)), strict=True)
    ]
    labels = [annotation["category_id"] for annotation in annotations]
    counts = [labels.count(number) for number in CLASSES]
    categories: list[dict[str, Any]] = [
        {"id": number, "name": f"genus species{number}" if number else "empty", "count": count}
        for number, count in zip(CLASSES, counts, strict=True)
    ]
    info = {"contributor": "", "date_created": "2020-02-11", "description": "", "version": 1.0, "year": 2020}
    described = {
        "annotations": [annotations[row] for row in rng.permutation(len(annotations))],
        "images": describe(train),
        "categories": categories,
        "info": info,
    }
    asked = {"categories": [*categories[:-1], {"id": 675, "name": "other"}], "images": describe(test), "info": info}
    return {
        **{f"train/{photo.id}.jpg": photo.picture for photo in train},
        **{f"test/{photo.id}.jpg": photo.picture for photo in test},
        "iwildcam2020_train_annotations.json": json.dumps(described).encode(),
        "iwildcam2020_test_information.json": json.dumps(asked).encode(),
        "iwildcam2020_megadetector_results.json": json.dumps(detect(rng, photos), indent=1).encode(),
        "sample_submission.csv": csv_bytes(pd.DataFrame({"Id": [photo.id for photo in test], "Category": 0})),
    }


def describe(photos: Sequence[Photo]) -> list[dict[str, Any]]:
    return [
        {
            "seq_num_frames": photo.frames,
            "location": photo.location,
            "datetime": photo.time.strftime("%Y-%m-%d %H:%M:%S.000"),
            "frame_num": photo.frame,
            "seq_id": photo.sequence,
            "width": SIDE,
            "height": SIDE,
            "file_name": f"{photo.id}.jpg",
            "id": photo.id,
        }
        for photo in photos
    ]


def detect(rng: np.random.Generator, photos: Sequence[Photo]) -> dict[str, Any]:
    images = []
    for photo in photos:
        found = [{"category": "1", "bbox": list(photo.box), "conf": round(float(rng.uniform(0.5, 1)), 3)}]
        found = found if photo.kind and rng.random() < 0.9 else []
        best = max((each["conf"] for each in found), default=0.0)
        images.append({"id": photo.id, "detections": found, "max_detection_conf": best})
    images.sort(key=lambda image: not image["detections"])
    return {"images": images, "detection_categories": {"1": "animal"}, "info": {"format_version": "1.0"}}
