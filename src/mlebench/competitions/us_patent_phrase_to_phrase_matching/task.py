"""The similarity of two phrases within a technical field."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics import get_metric
from mlebench.preparation import read_csv, row_keys, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    test = split_pairs(raw, public, private, split)
    write_csv(test[["id"]].assign(score=0), public / "sample_submission.csv")


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    test = split_pairs(raw, public, private, split)
    write_csv(test[["id"]].assign(score=np.linspace(0, 1, len(test))), public / "sample_submission.csv")


def split_pairs(raw: Path, public: Path, private: Path, split: Split) -> pd.DataFrame:
    pairs = read_csv(raw / "train.csv")
    train, test = split(pairs, content=lambda rows: row_keys(rows, ["anchor", "target", "context"]))
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="score"), public / "test.csv")
    write_csv(test, private / "test.csv")
    return test


def check(submission: pd.DataFrame) -> None:
    if not pd.api.types.is_numeric_dtype(submission["score"]):  # numbers too long for a column, or gaps among truths
        raise InvalidSubmissionError("The column 'score' must hold plain numbers of at most 19 digits.")


def check_v2(submission: pd.DataFrame) -> None:
    """Refuse scores that have no correlation with anything, so none with the answers."""
    metric = get_metric("pearson_correlation_score")
    if np.isnan(metric(np.arange(len(submission)), submission["score"].to_numpy(float))):
        raise InvalidSubmissionError(metric.undefined.format(column="'score'"))
