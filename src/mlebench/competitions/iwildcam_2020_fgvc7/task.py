"""Animals in photos from cameras that are not in the training data."""

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mlebench.preparation import place_files, read_json, split_positions, write_csv

Records = list[dict[str, Any]]


def prepare(raw: Path, public: Path, private: Path) -> None:
    photos = read_json(raw / "iwildcam2020_train_annotations.json")
    tests = read_json(raw / "iwildcam2020_test_information.json")
    images, annotations = as_from_a_frame(photos["images"]), as_from_a_frame(photos["annotations"])
    locations = choose_locations([image["location"] for image in images])
    side = {image["id"]: "test" if image["location"] in locations else "train" for image in images}
    parts = {
        part: (
            [image for image in images if side[image["id"]] == part],
            [annotation for annotation in annotations if side.get(annotation["image_id"]) == part],
        )
        for part in ("train", "test")
    }
    train = {"annotations": parts["train"][1], "images": parts["train"][0]}
    write(public / "iwildcam2020_train_annotations.json", train, photos)
    write(public / "iwildcam2020_test_information.json", {"images": parts["test"][0]}, tests)
    place_files(["iwildcam2020_megadetector_results.json"], raw, public)
    for part, (rows, _) in parts.items():
        place_files([f"{image['id']}.jpg" for image in rows], raw / "train", public / part)
    labels = parts["test"][1]
    answers = pd.DataFrame(
        {"Id": [label["image_id"] for label in labels], "Category": [label["category_id"] for label in labels]}
    )
    write_csv(answers, private / "answers.csv")
    guess = np.random.RandomState(0).randint(0, 676, size=len(answers))
    write_csv(answers.assign(Category=guess), public / "sample_submission.csv")


def write(path: Path, lists: dict[str, Records], rest: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    described = {**lists, "categories": as_from_a_frame(rest["categories"]), "info": rest["info"]}
    path.write_text(json.dumps(described), encoding="ascii")


def choose_locations(of_images: Iterable[int]) -> set[int]:
    """Return the locations for the test set, which hold 0.22 of all photos and, v1's quirk, the test photos again."""
    counts = pd.Series(of_images).value_counts(sort=False)  # in order of first appearance
    train, test = (counts.index[rows].tolist() for rows in split_positions(len(counts), test_size=0.22))
    total, in_test = int(counts.sum()), int(counts[test].sum())
    while in_test / (total + in_test) < 0.22:
        test.append(train.pop())
        in_test += int(counts[test[-1]])
    while in_test / (total + in_test) > 0.22:
        train.append(test.pop())
        in_test -= int(counts[train[-1]])
    return set(test)


def as_from_a_frame(records: Records) -> Records:
    """Return records as v1 has them, from a frame: each has all fields, and numbers with gaps are floats."""
    fields = dict.fromkeys(field for record in records for field in record)
    columns: list[list[Any]] = []
    for field in fields:
        values = [record.get(field, math.nan) for record in records]
        kinds = set(map(type, values))
        if len(kinds) > 1 and kinds <= {int, float, type(None)}:
            values = [math.nan if value is None else float(value) for value in values]
        columns.append(values)
    return [dict(zip(fields, row, strict=True)) for row in zip(*columns, strict=True)]
