"""Positions of a phone in a car, once a second, from raw measurements of satellites and motion."""

import re
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError, RawDataError
from mlebench.preparation import copy_lines, place_files, place_tree, read_csv_by_digits, split_positions, write_csv

TRUTH = "ground_truth.csv"
PLACE = ["LatitudeDegrees", "LongitudeDegrees"]
SOMEWHERE = {"LatitudeDegrees": 37.904611315634504, "LongitudeDegrees": -86.48107806249548}
EARTH_RADIUS = 6_371_000.0


LOG = "gnss_log.txt"
FIX = b"Fix,"
"""What a line of the log with the phone's own position begins with."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    for drive in hold_out(raw, public, private):
        place_tree(raw / "train" / drive, public / "test" / drive, without={TRUTH})


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    usual = {without_numbers(name) for folder in (raw / "test").glob("*/*/") for name in files_of(folder)}
    if not usual:
        raise RawDataError("The raw data lack Kaggle's own recordings in test/, which tell the files to hand out.")
    fixes_are_usual = any(map(has_fixes, (raw / "test").rglob(LOG)))
    for drive in hold_out(raw, public, private):
        for source in sorted((raw / "train" / drive).glob("*/")):
            target = public / "test" / drive / source.name
            names = {name for name in files_of(source) if without_numbers(name) in usual and not is_truth(name)}
            logs = set() if fixes_are_usual else {name for name in names if name.endswith(LOG)}
            place_files(sorted(names - logs), source, target)
            for name in sorted(logs):
                copy_lines(source / name, target / name, lambda line: not line.startswith(FIX))


def hold_out(raw: Path, public: Path, private: Path) -> list[str]:
    """Write everything but the test recordings, and return the names of the test drives."""
    drives = sorted(path.name for path in (raw / "train").iterdir() if path.is_dir())
    dates = sorted({date(drive) for drive in drives})
    test_dates = {dates[place] for place in split_positions(len(dates), test_size=0.1)[1]}
    test = [drive for drive in drives if date(drive) in test_dates]
    answers = []
    for drive in drives:
        if drive not in test:
            place_tree(raw / "train" / drive, public / "train" / drive)
    for drive in test:
        for path in sorted((raw / "train" / drive).glob(f"*/{TRUTH}")):
            answers.append(read_csv_by_digits(path)[["UnixTimeMillis", *PLACE]])
            answers[-1].insert(0, "tripId", f"{drive}-{path.parent.name}")
    frame = pd.concat(answers)
    write_csv(frame, private / "test.csv")
    write_csv(frame.assign(**SOMEWHERE), public / "sample_submission.csv")
    place_tree(raw / "metadata", public / "metadata")
    return test


def files_of(folder: Path) -> list[str]:
    """Return the names of the files below a folder, with `/` after sub-folders."""
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]


def has_fixes(log: Path) -> bool:
    with log.open("rb") as lines:
        return any(line.startswith(FIX) for line in lines)


def without_numbers(name: str) -> str:
    """Return the name of a file with one digit for each number: a RINEX file's name ends in a year, as in .20o."""
    return re.sub(r"\d+", "0", name)


def is_truth(name: str) -> bool:
    """Return whether a file is the ground truth, or a log of the receiver that it was made from."""
    return name == TRUTH or name.endswith(".nmea")


def date(drive: str) -> str:
    """Return the date that the name of a drive begins with, as 2020-07-08 for both 2020-07-08 and 2020-7-8."""
    return "-".join(part.zfill(2) for part in drive.split("-")[:3])


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the mean over trips of the mean of median and 95th percentile of the distances, in metres.

    In v1, rows are paired by their order within the trip, whatever their times say.
    """
    trips = check(submission, answers)
    found, truth = (
        [np.deg2rad(frame[name].to_numpy())[np.argsort(trip, kind="stable")] for name in PLACE]
        for frame, trip in zip((submission, answers), trips, strict=True)
    )
    ends = np.cumsum(np.bincount(trips[1]))[:-1]
    errors = np.split(haversine_distance(*truth, *found), ends)
    return float(np.mean([np.quantile(error, [0.5, 0.95]).mean() for error in errors]))


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    check_v2(submission)
    return grade(submission, answers)


def check_v2(submission: pd.DataFrame) -> None:
    far = submission["LatitudeDegrees"].abs().to_numpy() > 90
    if far.any():
        value = submission["LatitudeDegrees"].iloc[int(np.argmax(far))]
        raise InvalidSubmissionError(f"The value {value} of column 'LatitudeDegrees' is not between -90 and 90.")


def haversine_distance(lat1: np.ndarray, lng1: np.ndarray, lat2: np.ndarray, lng2: np.ndarray) -> np.ndarray:
    """Return the distances in metres of points on a sphere, given in radians."""
    with np.errstate(invalid="ignore"):
        share = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lng2 - lng1) / 2) ** 2
        return np.asarray(2 * EARTH_RADIUS * np.arcsin(np.sqrt(share)))


def check(submission: pd.DataFrame, reference: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of the trips of both frames' rows, which must have as many rows for each trip."""
    if "tripId" not in submission:
        raise InvalidSubmissionError("Submission is missing the column 'tripId'.")
    names = pd.Index(reference["tripId"].unique())
    found, wanted = (names.get_indexer(pd.Index(frame["tripId"])) for frame in (submission, reference))
    rows, needed = (np.bincount(trip[trip >= 0], minlength=len(names)) for trip in (found, wanted))
    if (rows != needed).any():
        trip = int(np.argmax(rows != needed))
        raise InvalidSubmissionError(
            f"The trip '{names[trip]}' must have {needed[trip]} rows, as in the sample, but it has {rows[trip]}."
        )
    for name in PLACE:
        if submission[name].dtype.kind not in "biuf":
            raise InvalidSubmissionError(f"The column '{name}' must hold numbers, but something else is in it.")
    return found, wanted
