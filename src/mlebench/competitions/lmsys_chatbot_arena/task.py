"""Answers of two chatbots to the same prompts: which one a user prefers."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.preparation import read_csv, row_keys, write_csv
from mlebench.tasks.split import Split

TEXTS = ["prompt", "response_a", "response_b"]
WINNERS = ["winner_model_a", "winner_model_b", "winner_tie"]


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    train, test = split(read_csv(raw / "train.csv"), content=lambda rows: row_keys(rows, TEXTS))
    write_csv(train, public / "train.csv")
    write_csv(test[["id", *TEXTS]], public / "test.csv")
    write_csv(test[["id"]].assign(**dict.fromkeys(WINNERS, 1 / 3)), public / "sample_submission.csv")
    write_csv(test, private / "answers.csv")


def check(submission: pd.DataFrame) -> None:
    chances = submission[WINNERS].to_numpy()
    if chances.dtype == object:  # v1's quirk: columns of True and False add up, but not to numbers
        raise InvalidSubmissionError("The probabilities must be numbers, not True and False beside numbers.")
    sums = chances.sum(axis=1)
    off = sums.round(6) != 1
    if off.any():
        row = int(np.argmax(off))
        raise InvalidSubmissionError(
            f"The probabilities of each row must sum to 1 up to 5e-7, but those of id {submission['id'].iloc[row]} "
            f"sum to {sums[row]:.8g}."
        )
