"""Scalar coupling constants between pairs of atoms in molecules."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.metrics.regression import mean_absolute_error
from mlebench.preparation import group_positions, place_files, read_rows, write_csv

TARGET = "scalar_coupling_constant"
FLOOR = 1e-9
"""The least error of a type in v2, in the unit of the target."""
RESULTS = [
    "dipole_moments",
    "magnetic_shielding_tensors",
    "mulliken_charges",
    "potential_energy",
    "scalar_coupling_contributions",
]
"""What was computed for the molecules of the training part."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, _ = split_pairs(raw, public, private)
    place_structures(train, raw, public)
    place_tables(RESULTS, train, raw, public)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    train, test = split_pairs(raw, public, private)
    place_structures(np.concatenate([train, test]), raw, public)
    place_tables(RESULTS, train, raw, public)


def split_pairs(raw: Path, public: Path, private: Path) -> tuple[np.ndarray, np.ndarray]:
    """Write the pairs of atoms, and return the molecules of train and test."""
    pairs = read_rows(raw / "train.csv")
    molecules = pairs.frame(["molecule_name"])["molecule_name"]
    in_train, in_test = group_positions(molecules, test_size=0.1)
    train, test = pairs.take(in_train), pairs.take(in_test)
    train.write(public / "train.csv")
    test.write(public / "test.csv", drop=[TARGET])
    write_csv(test.frame(["id"]).assign(**{TARGET: 0}), public / "sample_submission.csv")
    test.write(private / "answers.csv")
    return molecules.iloc[in_train].unique(), molecules.iloc[in_test].unique()


def place_structures(molecules: np.ndarray, raw: Path, public: Path) -> None:
    place_tables(["structures"], molecules, raw, public)
    place_files((f"{name}.xyz" for name in molecules), raw / "structures", public / "structures")


def place_tables(tables: list[str], molecules: np.ndarray, raw: Path, public: Path) -> None:
    for table in tables:
        rows = read_rows(raw / f"{table}.csv")
        known = rows.frame(["molecule_name"])["molecule_name"].isin(molecules)
        rows.take(np.flatnonzero(known)).write(public / f"{table}.csv")


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the mean over types of the log of the mean absolute error; v1 has no floor, so it may be -infinity."""
    with np.errstate(divide="ignore", over="ignore"):
        return float(np.mean(np.log(errors_of_types(submission, answers))))


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return float(np.mean(np.log(np.maximum(errors_of_types(submission, answers), FLOOR))))


def errors_of_types(submission: pd.DataFrame, answers: pd.DataFrame) -> list[float]:
    truth, prediction = answers[TARGET].to_numpy(), submission[TARGET].to_numpy()
    places = answers.groupby("type").indices.values()
    return [mean_absolute_error(truth[rows], prediction[rows]) for rows in places]
