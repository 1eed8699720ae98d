"""Labelled photos that a JSON object describes as COCO does: a list of images and one of annotations."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pandas as pd

from mlebench.errors import RawDataError
from mlebench.ground.tables import write_csv
from mlebench.preparation.files import place_files
from mlebench.preparation.indented import read_json, write_indented_json
from mlebench.preparation.split import split_each_group

if TYPE_CHECKING:
    from pathlib import Path

    Coco = dict[str, Any]


def split_coco(photos: Coco, test_size: float, few: int = 0, id: str = "id") -> tuple[Coco, Coco]:
    """Split photos with one category each, category by category; what else the object holds goes into both parts.

    `id` is the images' key that the annotations call `image_id`; both lists name the images in the same order.
    Categories with fewer than `few` photos give their last one to the test part, and keep it if it is the only one.
    The train part holds one category after the other, the test part is shuffled.
    """
    annotations, images = photos["annotations"], photos["images"]
    if [annotation["image_id"] for annotation in annotations] != [image[id] for image in images]:
        raise RawDataError("The raw data do not list images and their annotations in the same order.")
    categories = pd.Series([annotation["category_id"] for annotation in annotations])
    train, test = (rows.tolist() for rows in split_each_group(categories, test_size, few))
    random.Random(0).shuffle(test)
    train_part, test_part = (
        {**photos, "annotations": [annotations[row] for row in rows], "images": [images[row] for row in rows]}
        for rows in (train, test)
    )
    return train_part, test_part


def split_specimens(raw: Path, public: Path, private: Path, folder: str = "", encoding: str = "utf-8") -> None:
    """Split the photos of a folder's `train/`, with a number for each new test photo, and write the answers.

    The folder holds `train/metadata.json` and `train/images/`, and so does the public one, beside a `test/` of the
    same form.
    """
    photos = read_json(raw / folder / "train" / "metadata.json", encoding)
    train, test = split_coco(photos, test_size=0.2, few=5)
    renamed = [
        {**image, "id": str(number), "file_name": f"images/{number // 1000:03d}/{number}.jpg"}
        for number, image in enumerate(test["images"])
    ]
    write_indented_json(train, public / folder / "train" / "metadata.json")
    write_indented_json(
        {"images": renamed, "info": photos["info"], "licenses": photos["licenses"]},
        public / folder / "test" / "metadata.json",
    )
    names = [image["file_name"] for image in train["images"]]
    new_names = {old["file_name"]: new["file_name"] for old, new in zip(test["images"], renamed, strict=True)}
    place_files(names, raw / folder / "train", public / folder / "train")
    place_files(new_names, raw / folder / "train", public / folder / "test")
    write_numbered_answers(test, public, private, guess=0)


def write_numbered_answers(test: Coco, public: Path, private: Path, guess: int) -> None:
    """Write the categories of photos numbered 0, 1, 2 … as answers, and a sample submission that always guesses."""
    categories = [annotation["category_id"] for annotation in test["annotations"]]
    answers = pd.DataFrame({"Id": range(len(categories)), "Predicted": categories})
    write_csv(answers, private / "answers.csv")
    write_csv(answers.assign(Predicted=guess), public / "sample_submission.csv")
