"""Scalar coupling constants between pairs of atoms in molecules."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.metrics.regression import mean_absolute_error
from mlebench.preparation import group_positions, place_files, read_rows, write_csv

TARGET = "scalar_coupling_constant"
TABLES = [
    "structures",
    "dipole_moments",
    "magnetic_shielding_tensors",
    "mulliken_charges",
    "potential_energy",
    "scalar_coupling_contributions",
]
"""What is known of the molecules; v1 gives it for those of the training part only."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    pairs = read_rows(raw / "train.csv")
    molecules = pairs.frame(["molecule_name"])["molecule_name"]
    in_train, in_test = group_positions(molecules, test_size=0.1)
    names = molecules.iloc[in_train].unique()
    train, test = pairs.take(in_train), pairs.take(in_test)
    train.write(public / "train.csv")
    test.write(public / "test.csv", drop=[TARGET])
    write_csv(test.frame(["id"]).assign(**{TARGET: 0}), public / "sample_submission.csv")
    test.write(private / "answers.csv")

    for table in TABLES:
        rows = read_rows(raw / f"{table}.csv")
        known = rows.frame(["molecule_name"])["molecule_name"].isin(names)
        rows.take(np.flatnonzero(known)).write(public / f"{table}.csv")
    place_files((f"{name}.xyz" for name in names), raw / "structures", public / "structures")


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the mean over types of the log of the mean absolute error; v1 has no floor, so it may be -infinity."""
    truth, prediction = answers[TARGET].to_numpy(), submission[TARGET].to_numpy()
    places = answers.groupby("type").indices.values()
    with np.errstate(divide="ignore", over="ignore"):
        return float(np.mean(np.log([mean_absolute_error(truth[rows], prediction[rows]) for rows in places])))
