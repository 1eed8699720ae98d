"""Decline of lung function after a CT scan: FVC week by week, with a confidence."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.preparation import group_positions, place_tree, read_csv, write_csv

SMALLEST_CONFIDENCE, LARGEST_ERROR = 70, 1000
VISITS = 3
"""Visits at the end that are graded."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    visits = read_csv(raw / "train.csv")
    train, test = (visits.iloc[rows] for rows in group_positions(visits["Patient"], test_size=0.1))
    answers = every_week(test)
    write_csv(train, public / "train.csv")
    write_csv(test.sort_values(by="Weeks").groupby("Patient").first().reset_index(), public / "test.csv")
    write_csv(answers[["Patient_Week"]].assign(FVC=2000, Confidence=100), public / "sample_submission.csv")
    write_csv(answers, private / "test.csv")
    for part, frame in (("train", train), ("test", test)):
        for patient in frame["Patient"].unique():
            place_tree(raw / "train" / patient, public / part / patient)


def every_week(visits: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each patient and week from the first to the last of all; without a visit it is mostly empty."""
    weeks = range(visits["Weeks"].min(), visits["Weeks"].max() + 1)
    grid = pd.MultiIndex.from_product([visits["Patient"].unique(), weeks], names=["Patient", "Weeks"])
    answers = grid.to_frame(index=False).merge(visits, how="left", on=["Patient", "Weeks"], validate="1:1")
    return answers.assign(Patient_Week=answers["Patient"] + "_" + answers["Weeks"].astype(str), Confidence=100)


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the mean modified Laplace log likelihood of the graded visits in a submission, which may lack some."""
    check_numbers(submission)
    if not submission["Patient_Week"].isin(answers["Patient_Week"]).all():
        raise InvalidSubmissionError("The column 'Patient_Week' must hold the sample's ids, but there are others.")
    visits = answers[answers["FVC"].notna()].sort_values(by="Weeks").groupby("Patient").tail(VISITS)
    truth = visits.set_index("Patient_Week")["FVC"]
    graded = submission[submission["Patient_Week"].isin(truth.index)].sort_values(by="Patient_Week")
    ids = graded["Patient_Week"]
    if ids.duplicated().any() and ids.nunique() > 1:  # v1 has a score for a single id repeated
        raise InvalidSubmissionError("The column 'Patient_Week' must hold each of the sample's ids once.")
    error = np.abs(truth[ids].to_numpy(float) - graded["FVC"].to_numpy(float))
    sigma = np.maximum(graded["Confidence"].fillna(0).to_numpy(float), SMALLEST_CONFIDENCE)
    likelihood = -np.sqrt(2) * np.minimum(error, LARGEST_ERROR) / sigma - np.log(np.sqrt(2) * sigma)
    return float(likelihood.mean()) if len(likelihood) else float("nan")


def check(submission: pd.DataFrame) -> None:
    check_numbers(submission)
    if submission["Patient_Week"].duplicated().any():
        raise InvalidSubmissionError("The column 'Patient_Week' must hold each of the sample's ids once.")


def check_numbers(submission: pd.DataFrame) -> None:
    for name in ("FVC", "Confidence"):
        if not pd.api.types.is_numeric_dtype(submission[name]):
            raise InvalidSubmissionError(f"The column '{name}' must hold numbers, but it holds other things.")
