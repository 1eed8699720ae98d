"""Diseases of apple leaves in photos."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import place_files, read_csv, train_test_split, write_csv

CLASSES = ["healthy", "multiple_diseases", "rust", "scab"]


def prepare(raw: Path, public: Path, private: Path) -> None:
    raw_train, raw_test = train_test_split(read_csv(raw / "train.csv"), test_size=0.1)
    train, test = renumbered(raw_train, "Train"), renumbered(raw_test, "Test")
    write_csv(train, public / "train.csv")
    write_csv(test[["image_id"]], public / "test.csv")
    write_csv(test.assign(**dict.fromkeys(CLASSES, 0.25)), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")

    for old, new in ((raw_train, train), (raw_test, test)):
        names = dict(zip(old["image_id"] + ".jpg", new["image_id"] + ".jpg", strict=True))
        place_files(names, raw / "images", public / "images")


def renumbered(part: pd.DataFrame, prefix: str) -> pd.DataFrame:
    """Return rows with new ids from 0; an old id may then stand for another photo."""
    return part.assign(image_id=[f"{prefix}_{number}" for number in range(len(part))])
