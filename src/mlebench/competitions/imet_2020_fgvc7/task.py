"""Attributes of museum objects in pictures."""

from pathlib import Path

from mlebench.preparation import place_files, read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "train.csv"), test_size=0.15)
    write_csv(train, public / "train.csv")
    write_csv(test.assign(attribute_ids="0 1 2"), public / "sample_submission.csv")
    write_csv(test, private / "answers.csv")
    place_files(["labels.csv"], raw, public)
    place_files(train["id"] + ".png", raw / "train", public / "train")
    place_files(test["id"] + ".png", raw / "train", public / "test")
