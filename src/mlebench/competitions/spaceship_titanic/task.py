"""Passengers of a ship: which of them were transported to another dimension."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import group_split, read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    write_split(*train_test_split(read_csv(raw / "train.csv"), test_size=0.1), public, private)


def prepare_by_group(raw: Path, public: Path, private: Path) -> None:
    passengers = read_csv(raw / "train.csv")
    travel_group = passengers["PassengerId"].str.split("_").str[0]
    write_split(*group_split(passengers, travel_group, test_size=0.1), public, private)


def write_split(train: pd.DataFrame, test: pd.DataFrame, public: Path, private: Path) -> None:
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="Transported"), public / "test.csv")
    write_csv(test[["PassengerId"]].assign(Transported=False), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
