"""Votes of experts on patterns of brain activity in segments of an EEG."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.preparation import draw_groups, place_files, place_tree, read_csv, write_csv
from mlebench.tasks.split import Split

KEYS = ["spectrogram_id", "eeg_id", "patient_id"]
OFFSETS = ["eeg_label_offset_seconds", "spectrogram_label_offset_seconds"]
VOTES = ["seizure_vote", "lpd_vote", "gpd_vote", "lrda_vote", "grda_vote", "other_vote"]
SMALLEST = 1e-15


def prepare(raw: Path, public: Path, private: Path) -> None:
    segments = read_csv(raw / "train.csv")
    in_test = draw_groups(segments["spectrogram_id"], test_size=0.1)
    train, test = segments[~in_test], segments[in_test]
    write_csv(test[KEYS], public / "test.csv")
    place_parts(train, test, raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    segments = read_csv(raw / "train.csv")
    _, test = split(with_most_votes(segments), group="patient_id")
    train = segments[~segments["patient_id"].isin(test["patient_id"])]
    write_csv(test[[*KEYS, *OFFSETS]], public / "test.csv")
    place_parts(train, test, raw, public, private)


def with_most_votes(segments: pd.DataFrame) -> pd.DataFrame:
    """Return the segment of each EEG that has the most votes, and of several the first."""
    votes = segments[VOTES].sum(axis=1)
    return segments.loc[votes.groupby(segments["eeg_id"], sort=False).idxmax()]


def place_parts(train: pd.DataFrame, test: pd.DataFrame, raw: Path, public: Path, private: Path) -> None:
    shares = test[VOTES].div(test[VOTES].sum(axis=1), axis=0)
    write_csv(train, public / "train.csv")
    write_csv(test[["eeg_id"]].assign(**dict.fromkeys(VOTES, 1 / len(VOTES))), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    write_csv(pd.concat([test["eeg_id"], shares], axis=1), private / "gold_submission.csv")

    place_tree(raw / "example_figures", public / "example_figures")
    for part, frame in (("train", train), ("test", test)):
        for kind in ("eeg", "spectrogram"):
            files = (f"{id}.parquet" for id in frame[f"{kind}_id"].unique())
            place_files(files, raw / f"train_{kind}s", public / f"{part}_{kind}s")


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    check(submission, answers)
    return divergence(submission, answers)


def divergence(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the mean Kullback-Leibler divergence; a missing probability, which only v1 accepts, adds nothing."""
    truth = answers[VOTES].div(answers[VOTES].sum(axis=1), axis=0).to_numpy()
    prediction = np.clip(submission[VOTES].to_numpy(dtype=float), SMALLEST, 1 - SMALLEST)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(truth == 0, 0, truth * np.log(truth / prediction))
    return float(np.nansum(terms, axis=1).mean())


def check(submission: pd.DataFrame, test: pd.DataFrame) -> None:
    """Refuse what v1 refuses; it takes further columns for probabilities, and ids for a set."""
    predictions = submission.drop(columns="eeg_id")
    for name, column in predictions.items():
        if not pd.api.types.is_numeric_dtype(column):
            raise InvalidSubmissionError(f"The column '{name}' must hold numbers, but it holds other things.")
    if (submission[VOTES].sum(axis=1).round(5) != 1).any():
        raise InvalidSubmissionError("The six votes of each row must sum to 1.")
    if set(submission["eeg_id"]) != set(test["eeg_id"]):
        raise InvalidSubmissionError("The column 'eeg_id' must hold the sample's ids and no others.")
    if (predictions.min() < 0).any() or (predictions.max() > 1).any():
        raise InvalidSubmissionError("Every vote, and every number in a further column, must be between 0 and 1.")
    if not np.allclose(predictions.sum(axis=1), 1):
        raise InvalidSubmissionError("The votes of each row and the numbers in further columns must sum to 1.")
