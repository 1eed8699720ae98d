"""Toxic comments, scored for bias against nine identities that they mention."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.classification import roc_auc_score
from mlebench.preparation import place_files, read_csv, write_csv

IDENTITIES = """
male female homosexual_gay_or_lesbian christian jewish muslim black white psychiatric_or_mental_illness
""".split()
POWER = -5


def prepare(raw: Path, public: Path, private: Path) -> None:
    test = read_csv(raw / "test_private_expanded.csv", usecols=["id", "comment_text"])
    write_csv(test[["id", "comment_text"]], public / "test.csv")
    write_csv(test[["id"]].assign(prediction=0.0), public / "sample_submission.csv")
    place_files(["train.csv"], raw, public)
    place_files({"test_private_expanded.csv": "test.csv"}, raw, private)


def check(submission: pd.DataFrame) -> None:
    found_toxic(submission)


def found_toxic(submission: pd.DataFrame) -> np.ndarray:
    """Return which comments are called toxic. In v1, predictions are cut at one half, and a missing one is a no."""
    names = [name for name in ("prediction", "toxicity") if name in submission]
    if len(names) != 1:
        raise InvalidSubmissionError(
            "The submission must have a column 'prediction', and no column 'toxicity' with it."
        )
    values = submission[names[0]]
    if values.dtype.kind not in "biuf" and values.map(lambda cell: isinstance(cell, str)).any():
        raise InvalidSubmissionError(f"The column '{names[0]}' must hold numbers, but it holds text.")
    return np.asarray(values >= 0.5, dtype=bool)


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    overall, areas = areas_of(answers, found_toxic(submission), auc)
    if not (areas > 0).all():
        raise InvalidSubmissionError("There is no score, since a group of comments has an area under the curve of 0.")
    return mean_of(overall, areas)


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return mean_of(*areas_of(answers, submission["prediction"].to_numpy(float), roc_auc_score))


def areas_of(
    answers: pd.DataFrame, found: np.ndarray, auc: Callable[[np.ndarray, np.ndarray], float]
) -> tuple[float, np.ndarray]:
    """Return the area under the curve of all comments, and those of each kind of subset and identity."""
    toxic = answers["toxicity"].to_numpy() >= 0.5
    mentions = [answers[name].to_numpy() >= 0.5 for name in IDENTITIES]
    subsets = {
        "subgroup": mentions,
        "background positive, subgroup negative": [toxic != group for group in mentions],
        "background negative, subgroup positive": [toxic == group for group in mentions],
    }
    areas = np.array([[auc(toxic[rows], found[rows]) for rows in groups] for groups in subsets.values()])
    return auc(toxic, found), areas


def mean_of(overall: float, areas: np.ndarray) -> float:
    """Return the mean of the area of all comments and the power means of each kind, which are 0 if an area is 0."""
    with np.errstate(divide="ignore"):
        means = np.mean(areas**POWER, axis=1) ** (1 / POWER)
    return float((overall + means.sum()) / 4)


def auc(toxic: np.ndarray, found: np.ndarray) -> float:
    """Return the area under the ROC curve of predictions that are only yes or no; NaN for one class."""
    counts = np.bincount(2 * toxic + found, minlength=4).reshape(2, 2)
    with np.errstate(invalid="ignore"):
        rates = counts[:, 1] / counts.sum(axis=1)
    return float((1 + rates[1] - rates[0]) / 2)
