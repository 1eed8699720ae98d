"""Hotels from photos of their rooms."""

import re
from pathlib import Path

import pandas as pd

from mlebench.metrics.ranking import map_at_k_score, split_guesses
from mlebench.preparation import group_split, place_by_folder, read_csv, shuffle_rows, train_test_split, write_csv

NUMBER = re.compile("[0-9]+")
MINUTES_APART = 30
"""Photos of a hotel belong to one session if no pause between them is longer."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    place_photos(*train_test_split(read_photos(raw), test_size=0.1), raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    photos = read_photos(raw)
    parts = group_split(photos, number_sessions(photos), test_size=0.1, classes=photos["hotel_id"])
    train, test = map(shuffle_rows, parts)
    place_photos(train, test, raw, public, private)


def read_photos(raw: Path) -> pd.DataFrame:
    photos = read_csv(raw / "train.csv")
    return photos[photos["image"] != "ce27d36c9147cc19.jpg"]  # listed twice, with different hotels


def number_sessions(photos: pd.DataFrame) -> pd.Series:
    in_order = photos.assign(time=pd.to_datetime(photos["timestamp"])).sort_values(["hotel_id", "time", "image"])
    pause = in_order.groupby("hotel_id")["time"].diff()
    begins = pause.isna() | (pause > pd.Timedelta(minutes=MINUTES_APART))
    return begins.cumsum().reindex(photos.index)


def place_photos(train: pd.DataFrame, test: pd.DataFrame, raw: Path, public: Path, private: Path) -> None:
    guesses = test[["image"]].assign(hotel_id="36363 53586 18807 64314 60181")
    write_csv(train, public / "train.csv")
    write_csv(guesses, public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    place_by_folder(train["image"], train["chain"], raw / "train_images", public / "train_images")
    place_by_folder(test["image"], test["chain"], raw / "train_images", public / "test_images", flat=True)


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return map_at_k_score(answers["hotel_id"], read_guesses(submission), k=5)


def check_v2(submission: pd.DataFrame) -> None:
    read_guesses(submission)


def read_guesses(submission: pd.DataFrame) -> list[list[str]]:
    return split_guesses(submission["hotel_id"], submission["image"], most=5, form=NUMBER, kind="a whole number")
