"""Decline of lung function after a CT scan: FVC week by week, with a confidence."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.preparation import group_positions, place_tree, read_csv, write_csv
from mlebench.tasks.split import Split

SMALLEST_CONFIDENCE, LARGEST_ERROR = 70, 1000
VISITS = 3
"""Visits at the end that are graded."""
WEEKS = range(-12, 134)
"""The weeks that v2 asks for."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    visits = read_csv(raw / "train.csv")
    train, test = (visits.iloc[rows] for rows in group_positions(visits["Patient"], test_size=0.1))
    first = test.sort_values(by="Weeks").groupby("Patient").first().reset_index()
    weeks = range(test["Weeks"].min(), test["Weeks"].max() + 1)
    answers = every_week(test, weeks).assign(Confidence=100)
    place_parts(train, first, answers, raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    visits = read_csv(raw / "train.csv").sort_values("Weeks", kind="stable")
    _, tested = split(patients_to_draw(visits))
    test = tested.merge(visits, on="Patient")
    train = visits[~visits["Patient"].isin(tested["Patient"])].sort_index()
    graded = test[test["Weeks"].isin(WEEKS)].groupby("Patient").tail(VISITS)
    answers = every_week(graded, WEEKS)
    answers["graded"] = answers["FVC"].notna()
    answers = answers.assign(FVC=answers["FVC"].fillna(0), Confidence=SMALLEST_CONFIDENCE)
    place_parts(train, test.groupby("Patient").head(1), answers, raw, public, private)


def patients_to_draw(visits: pd.DataFrame) -> pd.DataFrame:
    """Return the patients with one value a week, and with more visits than are graded, as the first one is public."""
    weeks = visits[visits["Weeks"].isin(WEEKS)].groupby("Patient")["Weeks"]
    patients = pd.DataFrame({"visits": weeks.size(), "weeks": weeks.nunique()}).reset_index()
    return patients.loc[(patients["visits"] > VISITS) & (patients["visits"] == patients["weeks"]), ["Patient"]]


def place_parts(
    train: pd.DataFrame, test: pd.DataFrame, answers: pd.DataFrame, raw: Path, public: Path, private: Path
) -> None:
    write_csv(train, public / "train.csv")
    write_csv(test, public / "test.csv")
    write_csv(answers[["Patient_Week"]].assign(FVC=2000, Confidence=100), public / "sample_submission.csv")
    write_csv(answers, private / "test.csv")
    for part, frame in (("train", train), ("test", test)):
        for patient in frame["Patient"].unique():
            place_tree(raw / "train" / patient, public / part / patient)


def every_week(visits: pd.DataFrame, weeks: range) -> pd.DataFrame:
    """Return a row for each patient and week; without a visit it is mostly empty."""
    grid = pd.MultiIndex.from_product([visits["Patient"].unique(), weeks], names=["Patient", "Weeks"])
    answers = grid.to_frame(index=False).merge(visits, how="left", on=["Patient", "Weeks"], validate="1:1")
    return answers.assign(Patient_Week=answers["Patient"] + "_" + answers["Weeks"].astype(str))


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
    values = likelihood(truth[ids], graded.fillna({"Confidence": 0}))
    return float(values.mean()) if len(values) else float("nan")


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    graded = answers["graded"]
    return float(likelihood(answers.loc[graded, "FVC"], submission[graded]).mean())


def likelihood(truth: pd.Series, submission: pd.DataFrame) -> np.ndarray:
    """Return the modified Laplace log likelihood of each visit."""
    error = np.abs(truth.to_numpy(float) - submission["FVC"].to_numpy(float))
    sigma = np.maximum(submission["Confidence"].to_numpy(float), SMALLEST_CONFIDENCE)
    values: np.ndarray = -np.sqrt(2) * np.minimum(error, LARGEST_ERROR) / sigma - np.log(np.sqrt(2) * sigma)
    return values


def check(submission: pd.DataFrame) -> None:
    check_numbers(submission)
    if submission["Patient_Week"].duplicated().any():
        raise InvalidSubmissionError("The column 'Patient_Week' must hold each of the sample's ids once.")


def check_numbers(submission: pd.DataFrame) -> None:
    for name in ("FVC", "Confidence"):
        if not pd.api.types.is_numeric_dtype(submission[name]):
            raise InvalidSubmissionError(f"The column '{name}' must hold numbers, but it holds other things.")
