"""Six kinds of toxicity in comments; the answers mark those that do not count by -1."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.classification import roc_auc_score
from mlebench.preparation import read_csv, read_member, write_csv

CLASSES = ["toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"]


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test, labels, sample = (
        read_csv(read_member(raw / f"{name}.csv.zip", f"{name}.csv"))
        for name in ("train", "test", "test_labels", "sample_submission")
    )
    write_csv(train, public / "train.csv")
    write_csv(test, public / "test.csv")
    write_csv(sample.assign(**dict.fromkeys(CLASSES, 0.5)), public / "sample_submission.csv")
    write_csv(labels, private / "test.csv")


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Score the rows that count. In v1 they are paired by the order of their ids, and columns by their place."""
    if not submission["id"].isin(answers["id"]).all():
        raise InvalidSubmissionError("The column 'id' must hold the sample's ids, but there are others.")
    truth = answers.set_index("id").sort_index()
    truth = truth[truth.sum(axis=1) >= 0]
    prediction = submission.astype({"id": object}).set_index("id").sort_index()  # as objects, ties sort as in v1
    prediction = prediction[prediction.index.isin(truth.index)]
    if len(prediction) != len(truth):
        raise InvalidSubmissionError("The column 'id' must hold each of the sample's ids once, but some are repeated.")
    return roc_auc_score(truth.to_numpy(), numbers(prediction))


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    counts = (answers[CLASSES] >= 0).all(axis=1)
    return roc_auc_score(answers.loc[counts, CLASSES].to_numpy(), submission.loc[counts, CLASSES].to_numpy(float))


def numbers(prediction: pd.DataFrame) -> np.ndarray:
    """Return predictions as numbers; text in rows that do not count may have made text of a whole column."""
    try:
        values = prediction.to_numpy(dtype=object).astype(float)
    except (TypeError, ValueError, OverflowError):
        values = np.array(np.nan)
    if not np.isfinite(values).all():
        raise InvalidSubmissionError("The predictions of a row that counts must be finite numbers, none missing.")
    return values
