"""Diseases of rice plants from photos of their leaves."""

from pathlib import Path

from mlebench.preparation import place_by_folder, read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "train.csv"), test_size=0.25)
    write_csv(train, public / "train.csv")
    write_csv(test[["image_id"]].assign(label=""), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    place_by_folder(train["image_id"], train["label"], raw / "train_images", public / "train_images")
    place_by_folder(test["image_id"], test["label"], raw / "train_images", public / "test_images", flat=True)
