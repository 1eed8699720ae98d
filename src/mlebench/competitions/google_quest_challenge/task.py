"""Thirty subjective ratings of pairs of question and answer."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError, RawDataError
from mlebench.preparation import read_csv, row_keys, split_positions, write_csv
from mlebench.tasks.split import Split

FEATURES = 11
"""Columns before the ratings."""
MAX_DRAWS = 100


def prepare(raw: Path, public: Path, private: Path) -> None:
    pairs = read_csv(raw / "train.csv")
    train, test = split_positions(len(pairs), test_size=0.1)
    spelling = pairs["question_type_spelling"].to_numpy()
    if len(np.unique(spelling[test])) == 1:  # its correlation would not be defined
        other = np.flatnonzero(spelling[train] != 0)[0]
        test[0], train[other] = train[other], test[0]
    write_parts(pairs.iloc[train], pairs.iloc[test], public, private)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    pairs = read_csv(raw / "train.csv")
    write_parts(*split_questions(pairs, split), public, private)


def split_questions(pairs: pd.DataFrame, split: Split) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Draw questions until no rating is constant in the test part, where its correlation would not be defined."""
    for seed in range(split.seed, split.seed + MAX_DRAWS):
        draw = split.model_copy(update={"seed": seed})
        train, test = draw(pairs, group=lambda rows: row_keys(rows, ["question_title", "question_body"]))
        if (test[test.columns[FEATURES:]].nunique() > 1).all():
            return train, test
    raise RawDataError("The raw data hold a rating that is nearly constant, so no split has several values of it.")


def write_parts(train: pd.DataFrame, test: pd.DataFrame, public: Path, private: Path) -> None:
    ratings = test.columns[FEATURES:]
    answers = test.drop(columns=test.columns[1:FEATURES])
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns=ratings), public / "test.csv")
    ramp = dict.fromkeys(ratings, np.linspace(0, 1, len(test)))
    write_csv(answers.assign(**ramp), public / "sample_submission.csv")
    write_csv(answers, private / "test.csv")


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    ratings = answers.columns.drop("qa_id")
    return float(np.mean([correlation(ranks(submission[name]), ranks(answers[name])) for name in ratings]))


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    check_v2(submission)
    return grade(submission.astype(float), answers)


def check_v2(submission: pd.DataFrame) -> None:
    for name, predictions in submission.drop(columns="qa_id").astype(float).items():
        if predictions.nunique() == 1:
            raise InvalidSubmissionError(f"The column '{name}' holds one value only, so it has no rank correlation.")


def correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Return the linear correlation as SciPy computes it for ranks; NaN for a constant."""
    if (first == first[0]).all() or (second == second[0]).all():
        return float("nan")
    return float(np.corrcoef(np.column_stack([first, second]), rowvar=False)[1, 0])


def ranks(column: pd.Series) -> np.ndarray:
    """Return average ranks, of text by its characters as v1 does; all NaN where a value is missing."""
    if column.isna().any():
        return np.full(len(column), np.nan)
    values = column.to_numpy(dtype=float if pd.api.types.is_numeric_dtype(column) else object)
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[inverse]
