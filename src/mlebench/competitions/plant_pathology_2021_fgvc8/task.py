"""Diseases of apple leaves in photos."""

from pathlib import Path

import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import plain
from mlebench.preparation import file_keys, place_files, read_csv, write_csv
from mlebench.tasks.split import Split

LABELS = frozenset({"healthy", "scab", "frog_eye_leaf_spot", "rust", "powdery_mildew", "complex"})


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    photos = raw / "train_images"
    train, test = split(
        read_csv(raw / "train.csv"), content=lambda rows: file_keys(photos, rows["image"], at_once=True)
    )
    write_csv(train, public / "train.csv")
    write_csv(test.assign(labels="healthy"), public / "sample_submission.csv")
    write_csv(test, private / "answers.csv")
    place_files(train["image"], photos, public / "train_images")
    place_files(test["image"], photos, public / "test_images")


def check_v2(submission: pd.DataFrame) -> None:
    for image, text in zip(submission["image"], submission["labels"], strict=True):
        if unknown := set(text.split()) - LABELS:
            raise InvalidSubmissionError(
                f"The photo {plain(image)} has the label {plain(min(unknown))}, which is not one of the six."
            )
