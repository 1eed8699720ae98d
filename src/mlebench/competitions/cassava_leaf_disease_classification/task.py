"""Diseases of cassava plants from photos of their leaves."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import (
    file_keys,
    place_files,
    read_csv,
    read_tfrecord_texts,
    split_positions,
    without_copies,
    write_csv,
)


def prepare(raw: Path, public: Path, private: Path) -> None:
    train_records, test_records = split_records(raw)
    for part, files in (("train", train_records), ("test", test_records)):
        renamed = {
            file.name: f"ld_{part}{number:02}-{file.stem.partition('-')[2]}.tfrec" for number, file in enumerate(files)
        }
        place_files(renamed, raw / "train_tfrecords", public / f"{part}_tfrecords")
    place_photos(*split_photos(raw, test_records), raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    train, test = split_photos(raw, split_records(raw)[1])
    train = without_copies(
        train, test, lambda photos: file_keys(raw / "train_images", photos["image_id"], at_once=True)
    )
    place_photos(train, test, raw, public, private)


def split_records(raw: Path) -> list[list[Path]]:
    """Return the files of records of train and test."""
    files = sorted(file for file in (raw / "train_tfrecords").glob("*.tfrec") if file.is_file())
    return [[files[place] for place in part] for part in split_positions(len(files), test_size=0.1)]


def split_photos(raw: Path, test_records: list[Path]) -> tuple[pd.DataFrame, pd.DataFrame]:
    photos = read_csv(raw / "train.csv")
    in_test = photos["image_id"].isin(
        [name for file in test_records for name in read_tfrecord_texts(file, "image_name")]
    )
    return photos[~in_test], photos[in_test]


def place_photos(train: pd.DataFrame, test: pd.DataFrame, raw: Path, public: Path, private: Path) -> None:
    write_csv(train, public / "train.csv")
    write_csv(test.assign(label=4), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    for part, photos in (("train", train), ("test", test)):
        place_files(photos["image_id"], raw / "train_images", public / f"{part}_images")
    place_files(["label_num_to_disease_map.json"], raw, public)
