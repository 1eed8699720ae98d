"""Diseases of apple leaves in photos."""

import hashlib
from pathlib import Path

import pandas as pd

from mlebench.preparation import (
    cut_jpeg_metadata,
    drop_contradictory,
    place_files,
    read_csv,
    shuffle_rows,
    split_each_group,
    train_test_split,
    without_copies,
    write_csv,
)

CLASSES = ["healthy", "multiple_diseases", "rust", "scab"]


def prepare(raw: Path, public: Path, private: Path) -> None:
    parts = train_test_split(read_csv(raw / "train.csv"), test_size=0.1)
    for names in write_tables(*parts, public, private):
        place_files(names, raw / "images", public / "images")


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    photos = read_csv(raw / "train.csv")
    photos["content"] = [content_of(raw / "images" / f"{id}.jpg") for id in photos["image_id"]]
    photos = drop_contradictory(photos, lambda rows: rows["content"], CLASSES)
    parts = split_each_group(photos[CLASSES].idxmax(axis=1), test_size=0.2)
    train, test = (shuffle_rows(photos.iloc[places]) for places in parts)
    train = without_copies(train, test, lambda rows: rows["content"])
    for names in write_tables(train.drop(columns="content"), test.drop(columns="content"), public, private):
        place_files(names, raw / "images", public / "images", change=cut_jpeg_metadata)


def content_of(photo: Path) -> str:
    """Return a key of a photo's picture, whatever its metadata are."""
    return hashlib.sha256(cut_jpeg_metadata(photo.read_bytes())).hexdigest()


def write_tables(train: pd.DataFrame, test: pd.DataFrame, public: Path, private: Path) -> list[dict[str, str]]:
    """Write the tables with new ids, and return the new names of the photos of each part by the old ones."""
    new_train, new_test = renumbered(train, "Train"), renumbered(test, "Test")
    write_csv(new_train, public / "train.csv")
    write_csv(new_test[["image_id"]], public / "test.csv")
    write_csv(new_test.assign(**dict.fromkeys(CLASSES, 0.25)), public / "sample_submission.csv")
    write_csv(new_test, private / "test.csv")
    return [
        dict(zip(old["image_id"] + ".jpg", new["image_id"] + ".jpg", strict=True))
        for old, new in ((train, new_train), (test, new_test))
    ]


def renumbered(part: pd.DataFrame, prefix: str) -> pd.DataFrame:
    """Return rows with new ids from 0; an old id may then stand for another photo."""
    return part.assign(image_id=[f"{prefix}_{number}" for number in range(len(part))])
