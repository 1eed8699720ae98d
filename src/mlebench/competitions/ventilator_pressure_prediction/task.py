"""Pressure in the circuit of a ventilator, breath by breath."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.regression import mean_absolute_error
from mlebench.preparation import group_positions, read_csv, write_csv

DIGITS = "%.10g"


def prepare(raw: Path, public: Path, private: Path) -> None:
    steps = read_csv(raw / "train.csv")
    train, test = (number(steps.iloc[rows]) for rows in group_positions(steps["breath_id"], test_size=0.1))
    write_csv(train, public / "train.csv", DIGITS)
    write_csv(test.drop(columns="pressure"), public / "test.csv", DIGITS)
    write_csv(test[["id"]].assign(pressure=0), public / "sample_submission.csv")
    write_csv(test, private / "test.csv", DIGITS)


def number(steps: pd.DataFrame) -> pd.DataFrame:
    """Return steps with ids from 1."""
    return steps.assign(id=range(1, len(steps) + 1))


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    inspiratory = answers["u_out"] == 0
    return mean_absolute_error(answers["pressure"][inspiratory], scored_pressures(submission, answers))


def check(submission: pd.DataFrame, test: pd.DataFrame) -> None:
    scored_pressures(submission, test)


def scored_pressures(submission: pd.DataFrame, steps: pd.DataFrame) -> np.ndarray:
    """Return the pressures where the expiratory valve is closed; only these must be numbers."""
    scored = submission[(steps["u_out"] == 0).to_numpy()]
    try:
        pressures = scored["pressure"].astype(object).to_numpy(dtype=float)
    except (ValueError, OverflowError):
        raise InvalidSubmissionError("The pressure of every row with u_out 0 must be a number.") from None
    broken = ~np.isfinite(pressures)
    if broken.any():
        id = scored["id"].iloc[int(np.argmax(broken))]
        raise InvalidSubmissionError(f"The pressure of id {id}, a row with u_out 0, must be a finite number.")
    return pressures
