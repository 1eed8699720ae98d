"""Pressure in the circuit of a ventilator, breath by breath."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.regression import mean_absolute_error
from mlebench.preparation import read_csv, split_positions, write_csv

DIGITS = "%.10g"


def prepare(raw: Path, public: Path, private: Path) -> None:
    steps = read_csv(raw / "train.csv")
    breaths, breath = np.unique(steps["breath_id"], return_inverse=True)
    train, test = (take(steps, breath, chosen) for chosen in split_positions(len(breaths), test_size=0.1))
    write_csv(train, public / "train.csv", DIGITS)
    write_csv(test.drop(columns="pressure"), public / "test.csv", DIGITS)
    write_csv(test[["id"]].assign(pressure=0), public / "sample_submission.csv")
    write_csv(test, private / "test.csv", DIGITS)


def take(steps: pd.DataFrame, breath: np.ndarray, chosen: np.ndarray) -> pd.DataFrame:
    """Return the steps of the chosen breaths, breath after breath in that order, with ids from 1."""
    place = np.full(breath.max() + 1, -1)
    place[chosen] = np.arange(len(chosen))
    rows = np.argsort(place[breath], kind="stable")
    rows = rows[np.count_nonzero(place[breath] < 0) :]
    return steps.iloc[rows].assign(id=range(1, len(rows) + 1))


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
