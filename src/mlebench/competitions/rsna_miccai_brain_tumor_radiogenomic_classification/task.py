"""A genetic mark of brain tumours, told from MRI scans."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import place_tree, read_csv, write_csv
from mlebench.tasks.split import Split

FAULTY = ["00109", "00123", "00709"]
"""Cases that participants were told to leave out."""


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    place_parts(*split(read_cases(raw)), raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    cases = read_cases(raw)
    place_parts(*split(cases[~cases["BraTS21ID"].isin(FAULTY)]), raw, public, private)


def read_cases(raw: Path) -> pd.DataFrame:
    return read_csv(raw / "train_labels.csv", dtype={"BraTS21ID": str, "MGMT_value": int})


def place_parts(train: pd.DataFrame, test: pd.DataFrame, raw: Path, public: Path, private: Path) -> None:
    write_csv(train, public / "train_labels.csv")
    write_csv(test.assign(MGMT_value=0.5), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")

    for part, frame in (("train", train), ("test", test)):
        for case in frame["BraTS21ID"]:
            place_tree(raw / "train" / case, public / part / case)
