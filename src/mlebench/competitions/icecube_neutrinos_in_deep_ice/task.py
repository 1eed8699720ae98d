"""Directions of neutrinos from the pulses of light that they cause in a detector."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.preparation import fixed_count, place_files, read_parquet_chunks, split_positions, writing_parquet

EVENT = ["batch_id", "event_id", "first_pulse_index", "last_pulse_index"]
ANGLES = ["azimuth", "zenith"]
META = "train_meta.parquet"
BLOCK = 2**20
"""Events whose errors are computed at a time."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    write_parts(*split_batches(raw), raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    train, test = split_batches(raw)
    tested = sorted(test)[: fixed_count(raw, "test_batches", 5)]
    write_parts([*train, *(batch for batch in test if batch not in tested)], tested, raw, public, private)


def split_batches(raw: Path) -> tuple[list[int], list[int]]:
    """Return the numbers of the batches of train and test."""
    chunks = read_parquet_chunks(raw / META, ["batch_id"])
    batches = list(dict.fromkeys(batch for chunk in chunks for batch in chunk["batch_id"].unique().tolist()))
    train, test = split_positions(len(batches), test_size=0.1)
    return [batches[place] for place in train], [batches[place] for place in test]


def write_parts(train: list[int], test: list[int], raw: Path, public: Path, private: Path) -> None:
    with (
        writing_parquet(public / META) as add_train,
        writing_parquet(public / "test_meta.parquet") as add_test,
        (private / "test.csv").open("wb") as answers,
        (public / "sample_submission.csv").open("wb") as sample,
    ):
        for number, chunk in enumerate(read_parquet_chunks(raw / META, [*EVENT, *ANGLES])):
            in_test = chunk["batch_id"].isin(test)
            events = chunk.loc[in_test, ["event_id", *ANGLES]]
            add_train(chunk[~in_test])
            add_test(chunk.loc[in_test, EVENT])
            for file, frame in ((answers, events), (sample, events.assign(azimuth=1, zenith=1))):
                frame.to_csv(file, index=False, header=number == 0, lineterminator="\n", mode="wb")
    place_files(["sensor_geometry.csv"], raw, public)
    for part, numbers in (("train", train), ("test", test)):
        place_files((f"batch_{number}.parquet" for number in numbers), raw / "train", public / part)


def check(submission: pd.DataFrame) -> None:
    for name in ANGLES:
        if submission[name].dtype.kind not in "iuf":
            raise InvalidSubmissionError(f"The column '{name}' must hold numbers, but something else is in it.")
        if not np.isfinite(submission[name].to_numpy()).all():
            raise InvalidSubmissionError(f"The column '{name}' has a value that is missing or infinite.")


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    check(submission)
    found, truth = (frame[ANGLES].to_numpy(dtype=float) for frame in (submission, answers))
    blocks = [slice(first, first + BLOCK) for first in range(0, len(truth), BLOCK)]
    return float(np.mean(np.concatenate([angles_between(truth[block], found[block]) for block in blocks])))


def angles_between(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the angles in radians between directions, each given by azimuth and zenith in a row."""
    (one, other), (height, other_height) = zip(first.T, second.T, strict=True)
    level = np.cos(one) * np.cos(other) + np.sin(one) * np.sin(other)
    product = np.sin(height) * np.sin(other_height) * level + np.cos(height) * np.cos(other_height)
    return np.asarray(np.arccos(np.clip(product, -1, 1)))
