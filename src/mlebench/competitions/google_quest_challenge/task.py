"""Thirty subjective ratings of pairs of question and answer."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.preparation import read_csv, split_positions, write_csv

FEATURES = 11
"""Columns before the ratings."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    pairs = read_csv(raw / "train.csv")
    train, test = split_positions(len(pairs), test_size=0.1)
    spelling = pairs["question_type_spelling"].to_numpy()
    if len(np.unique(spelling[test])) == 1:  # its correlation would not be defined
        other = np.flatnonzero(spelling[train] != 0)[0]
        test[0], train[other] = train[other], test[0]
    ratings = pairs.columns[FEATURES:]
    answers = pairs.iloc[test].drop(columns=pairs.columns[1:FEATURES])
    write_csv(pairs.iloc[train], public / "train.csv")
    write_csv(pairs.iloc[test].drop(columns=ratings), public / "test.csv")
    ramp = dict.fromkeys(ratings, np.linspace(0, 1, len(test)))
    write_csv(answers.assign(**ramp), public / "sample_submission.csv")
    write_csv(answers, private / "test.csv")


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    ratings = answers.columns.drop("qa_id")
    return float(np.mean([correlation(ranks(submission[name]), ranks(answers[name])) for name in ratings]))


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
