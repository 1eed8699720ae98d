"""Time to the next eruption of a volcano from the records of ten sensors."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.regression import mean_absolute_error
from mlebench.preparation import place_files, read_csv, train_test_split, write_csv

TIME = "time_to_eruption"


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "train.csv"), test_size=0.1)
    write_csv(train, public / "train.csv")
    write_csv(test.assign(**{TIME: 0}), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    for part, rows in (("train", train), ("test", test)):
        place_files((f"{segment}.csv" for segment in rows["segment_id"]), raw / "train", public / part)


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    check(submission)
    return float(round(mean_absolute_error(answers[TIME], submission[TIME])))  # halves go to the even neighbour


def check(submission: pd.DataFrame) -> None:
    """Refuse times whose sum is infinite, since an infinite error has no nearest whole number."""
    with np.errstate(over="ignore"):
        if np.isinf(np.abs(submission[TIME].to_numpy(dtype=float)).sum()):
            raise InvalidSubmissionError(f"The values of column '{TIME}' are too large to be averaged.")
