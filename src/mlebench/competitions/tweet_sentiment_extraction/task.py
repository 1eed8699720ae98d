"""The words of a tweet that carry its sentiment."""

from pathlib import Path

import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.text import word_jaccard_score
from mlebench.preparation import read_csv, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    place_tweets(*split(read_csv(raw / "train.csv")), public, private)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    place_tweets(*split(read_csv(raw / "train.csv", text=["text", "selected_text"])), public, private)


def place_tweets(train: pd.DataFrame, test: pd.DataFrame, public: Path, private: Path) -> None:
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="selected_text"), public / "test.csv")
    write_csv(test[["textID"]].assign(selected_text=""), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    truth, prediction = texts(answers), texts(submission)
    # v1's quirk: two texts without words have no quotient, and the submission no score.
    if not (truth + prediction).str.strip().all():
        raise InvalidSubmissionError("A tweet whose answer is empty needs a prediction with a word.")
    return word_jaccard_score(truth, prediction)


def texts(table: pd.DataFrame) -> pd.Series:
    """Return the selected texts, a blank cell as the empty text and a number as it is printed."""
    column = table["selected_text"]
    return column.astype(object).where(column.notna(), "").map(str)
