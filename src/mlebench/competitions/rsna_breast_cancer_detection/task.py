"""Breast cancer in screening mammograms: a likelihood for each breast."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.preparation import draw_groups, place_by_folder, read_csv, write_csv

ID = "prediction_id"
KNOWN = ["site_id", "patient_id", "image_id", "laterality", "view", "age", "implant", "machine_id", ID]


def prepare(raw: Path, public: Path, private: Path) -> None:
    images = read_csv(raw / "train.csv")
    in_test = draw_groups(images["patient_id"], test_size=0.1, seed=42)
    train, test = images[~in_test], images[in_test]
    test = test.assign(**{ID: test["patient_id"].astype(str) + "_" + test["laterality"]})
    answers = test.groupby(ID)["cancer"].first().reset_index()
    write_csv(train, public / "train.csv")
    write_csv(test[KNOWN], public / "test.csv")
    write_csv(answers.assign(cancer=train["cancer"].mean()), public / "sample_submission.csv")
    write_csv(answers, private / "answers.csv")

    for part, frame in (("train", train), ("test", test)):
        files = frame["image_id"].astype(str) + ".dcm"
        place_by_folder(files, frame["patient_id"], raw / "train_images", public / f"{part}_images")


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return probabilistic_f1(likelihoods(submission).clip(0, 1), answers)


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return probabilistic_f1(submission["cancer"].to_numpy(dtype=float), answers)


def probabilistic_f1(likelihood: np.ndarray, answers: pd.DataFrame) -> float:
    """Return the probabilistic F1 score; it is 0 for a missing likelihood, which only v1 accepts."""
    positive = answers["cancer"].to_numpy() == 1
    hits, alarms = (np.cumsum(likelihood[rows])[-1] if rows.any() else 0.0 for rows in (positive, ~positive))
    if not hits > 0 or np.isnan(alarms):
        return 0.0
    precision, recall = hits / (hits + alarms), hits / positive.sum()
    return float(2 * precision * recall / (precision + recall))


def check(submission: pd.DataFrame) -> None:
    likelihoods(submission)


def likelihoods(submission: pd.DataFrame) -> np.ndarray:
    """Return the likelihoods, of any size since v1 clips them; it fails only where all are negative."""
    try:
        values = np.array([min(max(value, -1), 1) for value in submission["cancer"]], dtype=float)
    except TypeError:
        raise InvalidSubmissionError("The column 'cancer' must hold numbers, but there is text in it.") from None
    if (values < 0).all():
        raise InvalidSubmissionError("The column 'cancer' must hold likelihoods, but all of its values are negative.")
    return values
