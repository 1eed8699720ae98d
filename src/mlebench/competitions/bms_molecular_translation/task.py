"""Drawings of molecules, to be read as InChI texts."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import place_by_folder, place_files, read_csv, write_csv
from mlebench.tasks.split import Split

WATER = "InChI=1S/H2O/h1H2"
EXTRA = "extra_approved_InChIs.csv"


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    place_labelled(*split(read_csv(raw / "train_labels.csv")), raw, public, private)
    place_files([EXTRA], raw, public)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    train, test = split(read_csv(raw / "train_labels.csv"), content="InChI")
    place_labelled(train, test, raw, public, private)
    answers = set(test["InChI"])
    with (raw / EXTRA).open(encoding="utf-8") as lines, (public / EXTRA).open("w", encoding="utf-8") as others:
        others.writelines(line for line in lines if line.strip().strip('"') not in answers)


def place_labelled(train: pd.DataFrame, test: pd.DataFrame, raw: Path, public: Path, private: Path) -> None:
    write_csv(train, public / "train_labels.csv")
    write_csv(test.assign(InChI=WATER), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    place_pictures(train["image_id"], raw / "train", public / "train")
    place_pictures(test["image_id"], raw / "train", public / "test")


def place_pictures(ids: pd.Series, source: Path, target: Path) -> None:
    """Put pictures into three levels of folders, named after the first three characters of their ids."""
    place_by_folder(ids + ".png", ids.str[0] + "/" + ids.str[1] + "/" + ids.str[2], source, target)
