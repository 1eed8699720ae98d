"""Plant taxa from photos of herbarium sheets, with the distances among genera."""

from pathlib import Path
from typing import Any

import pandas as pd

from mlebench.preparation import place_files, read_json, split_coco, write_indented_json, write_numbered_answers

Images = list[dict[str, Any]]


def prepare(raw: Path, public: Path, private: Path) -> None:
    place_photos(raw, public, private, told=("image_id", "file_name", "license"))


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    place_photos(raw, public, private, told=("image_id", "file_name"))


def place_photos(raw: Path, public: Path, private: Path, told: tuple[str, ...]) -> None:
    """Split and number the photos; `told` are the keys of a test photo's metadata."""
    train, test = split_coco(read_json(raw / "train_metadata.json"), test_size=0.2, id="image_id")
    categories = pd.Series([annotation["category_id"] for annotation in train["annotations"]])
    places = categories.groupby(categories).cumcount() + 1
    new_train = [
        {**image, "image_id": (id := f"{category:05d}__{place:03d}"), "file_name": f"{folder_of(category)}/{id}.jpg"}
        for image, category, place in zip(train["images"], categories, places, strict=True)
    ]
    annotations = [
        {**annotation, "image_id": image["image_id"]}
        for annotation, image in zip(train["annotations"], new_train, strict=True)
    ]
    new_test = [
        {**image, "image_id": str(number), "file_name": f"{number // 1000:03d}/test-{number:06d}.jpg"}
        for number, image in enumerate(test["images"])
    ]
    write_indented_json({**train, "annotations": annotations, "images": new_train}, public / "train_metadata.json")
    shown = [{key: image[key] for key in told} for image in new_test]
    write_indented_json(shown, public / "test_metadata.json")
    place_files(new_names(train["images"], new_train), raw / "train_images", public / "train_images")
    place_files(new_names(test["images"], new_test), raw / "train_images", public / "test_images")
    write_numbered_answers(test, public, private, guess=42)


def folder_of(category: int) -> str:
    return f"{category // 100:03d}/{category % 100:02d}"


def new_names(old: Images, new: Images) -> dict[str, str]:
    return {before["file_name"]: after["file_name"] for before, after in zip(old, new, strict=True)}
