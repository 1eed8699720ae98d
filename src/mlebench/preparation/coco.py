"""Labelled photos in COCO format: a JSON object with a list of images and a list of annotations."""

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
    from collections.abc import Collection
    from pathlib import Path

    Coco = dict[str, Any]


def split_coco(photos: Coco, test_size: float, few: int = 0, id: str = "id") -> tuple[Coco, Coco]:
    """Split photos with one category each, category by category.

    Parameters
    ----------
    photos
        The object. Both lists name the images in the same order; other members are copied to both parts.
    test_size, few
        As in `split_each_group`.
    id
        Key of the images that annotations call `image_id`.

    Returns
    -------
    train, test
        Objects of the same form. The train part has one category after the other; the test part is shuffled.

    Raises
    ------
    RawDataError
        The lists name the images in different orders.
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


def split_specimens(
    raw: Path, public: Path, *, encoding: str = "utf-8", errors: str = "strict", told: Collection[str] | None = None
) -> Coco:
    """Split the photos of the herbarium tasks, and number the test photos.

    Parameters
    ----------
    raw
        Folder with `train/metadata.json` and `train/images/`.
    public
        Folder that gets `train/` and `test/` of that form.
    encoding, errors
        How the raw metadata are read; see `read_json`.
    told
        What the metadata tell of a test photo; by default all that is known.

    Returns
    -------
    test
        The test part in the order of the new numbers, for `write_numbered_answers`.
    """
    photos = read_json(raw / "train" / "metadata.json", encoding, errors)
    train, test = split_coco(photos, test_size=0.2, few=5)
    renamed = [
        {**image, "id": str(number), "file_name": f"images/{number // 1000:03d}/{number}.jpg"}
        for number, image in enumerate(test["images"])
    ]
    shown = [{key: image[key] for key in told} for image in renamed] if told else renamed
    write_indented_json(train, public / "train" / "metadata.json")
    write_indented_json(
        {"images": shown, "info": photos["info"], "licenses": photos["licenses"]}, public / "test" / "metadata.json"
    )
    names = [image["file_name"] for image in train["images"]]
    new_names = {old["file_name"]: new["file_name"] for old, new in zip(test["images"], renamed, strict=True)}
    place_files(names, raw / "train", public / "train")
    place_files(new_names, raw / "train", public / "test")
    return test


def write_numbered_answers(test: Coco, public: Path, private: Path, guess: int) -> None:
    """Write the categories of photos numbered from 0 as answers, and a sample submission with one guess for all."""
    categories = [annotation["category_id"] for annotation in test["annotations"]]
    answers = pd.DataFrame({"Id": range(len(categories)), "Predicted": categories})
    write_csv(answers, private / "answers.csv")
    write_csv(answers.assign(Predicted=guess), public / "sample_submission.csv")
