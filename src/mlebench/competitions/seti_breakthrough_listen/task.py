"""Artificial signals in spectrograms of a radio telescope."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import file_keys, place_by_folder, place_tree, read_csv, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    place_parts(raw, public, private, split)
    place_tree(raw / "old_leaky_data", public / "old_leaky_data")


def place_parts(raw: Path, public: Path, private: Path, split: Split) -> None:
    def content(rows: pd.DataFrame) -> pd.Series:
        return file_keys(raw / "train", rows["id"].str[0] + "/" + rows["id"] + ".npy", at_once=True)

    train, test = split(read_csv(raw / "train_labels.csv"), content=content)
    write_csv(train, public / "train_labels.csv")
    write_csv(test.assign(target=0.5), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    for part, rows in (("train", train), ("test", test)):
        place_by_folder(rows["id"] + ".npy", rows["id"].str[0], raw / "train", public / part)
