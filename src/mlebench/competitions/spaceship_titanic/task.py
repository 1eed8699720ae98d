"""Passengers of a ship: which of them were transported to another dimension."""

from pathlib import Path

from mlebench.preparation import read_csv, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    passengers = read_csv(raw / "train.csv")
    train, test = split(passengers, group=lambda rows: rows["PassengerId"].str.split("_").str[0])
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="Transported"), public / "test.csv")
    write_csv(test[["PassengerId"]].assign(Transported=False), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
