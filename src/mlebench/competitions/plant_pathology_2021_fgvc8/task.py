"""Diseases of apple leaves in photos."""

from pathlib import Path

from mlebench.preparation import place_files, read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "train.csv"), test_size=0.2)
    write_csv(train, public / "train.csv")
    write_csv(test.assign(labels="healthy"), public / "sample_submission.csv")
    write_csv(test, private / "answers.csv")
    place_files(train["image"], raw / "train_images", public / "train_images")
    place_files(test["image"], raw / "train_images", public / "test_images")
