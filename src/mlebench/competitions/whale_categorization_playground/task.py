"""Individual humpback whales from photos of their flukes."""

import re
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.metrics.ranking import map_at_k_score, split_guesses
from mlebench.preparation import (
    file_keys,
    group_split,
    place_files,
    read_csv,
    shuffle_rows,
    train_test_split,
    without_copies,
    write_csv,
)

NEW = "new_whale"
NAME = re.compile(rf"w_[0-9a-f]{{7}}|{NEW}")


def prepare(raw: Path, public: Path, private: Path) -> None:
    photos = read_csv(raw / "train.csv")
    in_test = choose_test(photos)
    place_photos(photos[~in_test], photos[in_test], raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    photos = read_csv(raw / "train.csv")
    whales = photos["Id"].where(photos["Id"] != NEW)  # each photo without a name is of a whale of its own
    train, test = group_split(photos, photos["Image"], test_size=0.1, classes=whales)
    train = without_copies(train, test, lambda rows: file_keys(raw / "train", rows["Image"], at_once=True))
    test = test[(test["Id"] == NEW) | test["Id"].isin(train["Id"])]  # all others of a whale may have been copies
    place_photos(shuffle_rows(train), shuffle_rows(test), raw, public, private)


def place_photos(train: pd.DataFrame, test: pd.DataFrame, raw: Path, public: Path, private: Path) -> None:
    answers = test.assign(Id=test["Id"].where(test["Id"].isin(train["Id"]), NEW))
    guesses = test.assign(Id=f"{NEW} w_1287fbc w_98baff9 w_7554f44 w_1eafe46")
    write_csv(train, public / "train.csv")
    write_csv(guesses, public / "sample_submission.csv")
    write_csv(answers, private / "test.csv")
    place_files(train["Image"], raw / "train", public / "train")
    place_files(test["Image"], raw / "train", public / "test")


def choose_test(photos: pd.DataFrame) -> pd.Series:
    """Return which photos are for the test set.

    Of each whale with several photos one goes to train and one to test, the same two for all whales with as
    many photos; a single photo goes to test with probability 0.1; what is left over is split at random.
    """
    whales = photos.groupby("Id", sort=False)["Image"]
    place, count = whales.cumcount(), whales.transform("size")
    pairs = {size: np.random.RandomState(0).permutation(size)[:2] for size in count.unique() if size > 1}
    first, second = (place == count.map({size: pair[k] for size, pair in pairs.items()}) for k in (0, 1))
    in_test = second.copy()
    single = count == 1
    in_test[single] = np.random.default_rng(0).random(int(single.sum())) >= 0.9
    _, rest = train_test_split(photos[~(first | second | single)], test_size=0.1)
    in_test[rest.index] = True
    return in_test


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return map_at_k_score(answers["Id"], read_guesses(submission), k=5)


def check_v2(submission: pd.DataFrame) -> None:
    read_guesses(submission)


def read_guesses(submission: pd.DataFrame) -> list[list[str]]:
    return split_guesses(submission["Id"], submission["Image"], most=5, form=NAME, kind="the name of a whale")
