"""The similarity of two phrases within a technical field."""

from pathlib import Path

import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.preparation import read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "train.csv"), test_size=0.1)
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="score"), public / "test.csv")
    write_csv(test[["id"]].assign(score=0), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")


def check(submission: pd.DataFrame) -> None:
    if not pd.api.types.is_numeric_dtype(submission["score"]):  # numbers too long for a column, or gaps among truths
        raise InvalidSubmissionError("The column 'score' must hold plain numbers of at most 19 digits.")
