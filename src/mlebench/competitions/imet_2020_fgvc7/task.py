"""Attributes of museum objects in pictures."""

from pathlib import Path

import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import plain
from mlebench.metrics.classification import label_set_f1_micro_all_score
from mlebench.preparation import file_keys, place_files, read_csv, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    train, test = split(
        read_csv(raw / "train.csv"), content=lambda rows: file_keys(raw / "train", rows["id"] + ".png", at_once=True)
    )
    write_csv(train, public / "train.csv")
    write_csv(test.assign(attribute_ids="0 1 2"), public / "sample_submission.csv")
    write_csv(test, private / "answers.csv")
    place_files(["labels.csv"], raw, public)
    place_files(train["id"] + ".png", raw / "train", public / "train")
    place_files(test["id"] + ".png", raw / "train", public / "test")


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return label_set_f1_micro_all_score(answers["attribute_ids"], read_attributes(submission))


def check_v2(submission: pd.DataFrame) -> None:
    read_attributes(submission)


def read_attributes(submission: pd.DataFrame) -> list[str]:
    """Return the attributes of each picture without leading zeros."""
    found = []
    for id, text in zip(submission["id"], submission["attribute_ids"], strict=True):
        words = text.split()
        for word in words:
            if not (word.isascii() and word.isdecimal()):
                raise InvalidSubmissionError(f"The attribute {plain(word)} of {plain(id)} is not a whole number.")
        found.append(" ".join(word.lstrip("0") or "0" for word in words))
    return found
