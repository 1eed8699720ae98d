"""Diseases of rice plants from photos of their leaves."""

from pathlib import Path

from mlebench.preparation import file_keys, place_by_folder, read_csv, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    place_photos(raw, public, private, split, sample_label="")


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    place_photos(raw, public, private, split, sample_label="normal")


def place_photos(raw: Path, public: Path, private: Path, split: Split, sample_label: str) -> None:
    folders = raw / "train_images"
    train, test = split(
        read_csv(raw / "train.csv"),
        content=lambda photos: file_keys(folders, photos["label"] + "/" + photos["image_id"], at_once=True),
    )
    write_csv(train, public / "train.csv")
    write_csv(test[["image_id"]].assign(label=sample_label), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    place_by_folder(train["image_id"], train["label"], folders, public / "train_images")
    place_by_folder(test["image_id"], test["label"], folders, public / "test_images", flat=True)
