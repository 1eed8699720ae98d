"""Drawings of molecules, to be read as InChI texts."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import place_by_folder, place_files, read_csv, train_test_split, write_csv

WATER = "InChI=1S/H2O/h1H2"


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "train_labels.csv"), test_size=0.2)
    write_csv(train, public / "train_labels.csv")
    write_csv(test.assign(InChI=WATER), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    place_files(["extra_approved_InChIs.csv"], raw, public)
    place_pictures(train["image_id"], raw / "train", public / "train")
    place_pictures(test["image_id"], raw / "train", public / "test")


def place_pictures(ids: pd.Series, source: Path, target: Path) -> None:
    """Put pictures into three levels of folders, named after the first three characters of their ids."""
    place_by_folder(ids + ".png", ids.str[0] + "/" + ids.str[1] + "/" + ids.str[2], source, target)
