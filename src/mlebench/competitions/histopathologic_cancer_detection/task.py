"""Patches of lymph node sections: is there tumour tissue in the centre."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import place_files, read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = (part.sort_index() for part in split_patches(raw))
    place_patches(train, test, raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    train, test = split_patches(raw)
    place_patches(train, test, raw, public, private)


def split_patches(raw: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    labels = read_csv(raw / "train_labels.csv")
    unlabelled = sum(path.name.endswith(".tif") for path in (raw / "test").iterdir())
    share = unlabelled / (len(labels) + unlabelled)  # Kaggle's own share of test patches
    return train_test_split(labels, test_size=share)


def place_patches(train: pd.DataFrame, test: pd.DataFrame, raw: Path, public: Path, private: Path) -> None:
    write_csv(train, public / "train_labels.csv")
    write_csv(test.assign(label=0), public / "sample_submission.csv")
    write_csv(test, private / "answers.csv")

    for part, frame in (("train", train), ("test", test)):
        place_files(frame["id"] + ".tif", raw / "train", public / part)
