"""Popularity of pets from their photos and a few flags."""

from pathlib import Path

import numpy as np

from mlebench.preparation import file_keys, place_files, read_csv, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    pets = read_csv(raw / "train.csv")
    train, test = split(pets, group=lambda rows: file_keys(raw / "train", rows["Id"] + ".jpg", at_once=True))
    guesses = np.random.default_rng(0).uniform(1, 100, len(test)).round(2)
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="Pawpularity"), public / "test.csv")
    write_csv(test[["Id"]].assign(Pawpularity=guesses), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    for part, rows in (("train", train), ("test", test)):
        place_files((f"{id}.jpg" for id in rows["Id"]), raw / "train", public / part)
