"""Animals in photos from cameras that are not in the training data."""

import json
import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mlebench.preparation import place_files, read_json, split_positions, write_csv
from mlebench.tasks.split import Split

Records = list[dict[str, Any]]

TRAIN = "iwildcam2020_train_annotations.json"
TEST = "iwildcam2020_test_information.json"
DETECTOR = "iwildcam2020_megadetector_results.json"


def prepare(raw: Path, public: Path, private: Path) -> None:
    photos, tests = read_json(raw / TRAIN), read_json(raw / TEST)
    images, annotations = as_from_a_frame(photos["images"]), as_from_a_frame(photos["annotations"])
    locations = choose_locations([image["location"] for image in images])
    train = [image for image in images if image["location"] not in locations]
    test = [image for image in images if image["location"] in locations]
    write_json(
        public / TRAIN,
        annotations=of_images(annotations, train),
        images=train,
        categories=as_from_a_frame(photos["categories"]),
        info=photos["info"],
    )
    write_json(public / TEST, images=test, categories=as_from_a_frame(tests["categories"]), info=tests["info"])
    place_files([DETECTOR], raw, public)
    for part, rows in (("train", train), ("test", test)):
        place_files([f"{image['id']}.jpg" for image in rows], raw / "train", public / part)
    labels = of_images(annotations, test)
    write_answers([(label["image_id"], label["category_id"]) for label in labels], public, private)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    photos = read_json(raw / TRAIN)
    places = pd.DataFrame({"location": [image["location"] for image in photos["images"]]})
    train, test = ([photos["images"][row] for row in part.index] for part in split(places, group="location"))
    label = {each["image_id"]: each["category_id"] for each in photos["annotations"]}
    labels_of = Counter(each["image_id"] for each in photos["annotations"])
    test = [image for image in test if labels_of[image["id"]] == 1]
    shown = numbered(test)
    new_ids = {image["id"]: new["id"] for image, new in zip(test, shown, strict=True)}
    annotations = of_images(photos["annotations"], train)
    counts = Counter(each["category_id"] for each in annotations)
    categories = [{**category, "count": counts[category["id"]]} for category in photos["categories"]]
    info = photos["info"]
    write_json(public / TRAIN, annotations=annotations, images=train, categories=categories, info=info)
    write_json(public / TEST, images=shown, categories=categories, info=info)
    detections = read_json(raw / DETECTOR)
    write_json(public / DETECTOR, **{**detections, "images": detected(detections["images"], train, new_ids)})
    place_files([f"{image['id']}.jpg" for image in train], raw / "train", public / "train")
    place_files({f"{old}.jpg": f"{new}.jpg" for old, new in new_ids.items()}, raw / "train", public / "test")
    write_answers([(new, label[old]) for old, new in new_ids.items()], public, private)


def numbered(images: Records) -> Records:
    """Return images with new names, and new names of their bursts."""
    bursts: dict[str, str] = {}
    renamed = []
    for number, image in enumerate(images):
        id = f"test_{number:06}"
        burst = bursts.setdefault(image["seq_id"], f"burst_{len(bursts):06}")
        renamed.append({**image, "seq_id": burst, "file_name": f"{id}.jpg", "id": id})
    return renamed


def detected(images: Records, train: Records, new_ids: dict[str, str]) -> Records:
    """Return the results for photos that are handed out, under their new ids and in the order of these."""
    found = {image["id"]: image for image in images}
    ids = {**{image["id"]: image["id"] for image in train}, **new_ids}
    return [
        {"id": new, **{field: found[old][field] for field in ("detections", "max_detection_conf")}}
        for old, new in ids.items()
        if old in found
    ]


def of_images(annotations: Records, images: Records) -> Records:
    ids = {image["id"] for image in images}
    return [annotation for annotation in annotations if annotation["image_id"] in ids]


def write_json(path: Path, **content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="ascii")


def write_answers(labels: list[tuple[str, int]], public: Path, private: Path) -> None:
    answers = pd.DataFrame(labels, columns=["Id", "Category"])
    write_csv(answers, private / "answers.csv")
    guess = np.random.RandomState(0).randint(0, 676, size=len(answers))
    write_csv(answers.assign(Category=guess), public / "sample_submission.csv")


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
