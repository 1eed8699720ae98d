"""Tags of sounds, out of eighty."""

from pathlib import Path

import pandas as pd

from mlebench.errors import InvalidSubmissionError, RawDataError
from mlebench.preparation import place_files, place_tree, read_csv, read_member, write_csv

META = "FSDKaggle2019.meta"


def prepare(raw: Path, public: Path, private: Path) -> None:
    archive = raw / f"{META}.zip"
    if not archive.is_file():
        raise RawDataError(
            f"The labels of the test clips are not among Kaggle's files; get {archive.name} from "
            "https://zenodo.org/records/3612637 and put it beside them."
        )
    clips = read_csv(read_member(archive, f"{META}/test_post_competition.csv"))
    clips = clips[clips["usage"] == "Private"]
    classes = read_csv(raw / "sample_submission.csv", nrows=0).columns[1:]
    indicators = clips["labels"].str.get_dummies(",").reindex(columns=classes, fill_value=0)
    write_csv(pd.concat([clips["fname"], indicators], axis=1), private / "test.csv")

    for item in (item for item in raw.iterdir() if META not in item.name):
        if item.is_dir():
            place_tree(item, public / item.name)
        else:
            place_files([item.name], raw, public)


def check(submission: pd.DataFrame) -> None:
    """Refuse True and False for all scores, which cannot be ranked in v1; among numbers they are 1 and 0."""
    if all(pd.api.types.is_bool_dtype(kind) for kind in submission.dtypes[1:]):
        raise InvalidSubmissionError("The scores must be numbers, not True and False.")
