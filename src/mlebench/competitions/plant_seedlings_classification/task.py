"""Species of plant seedlings in photos."""

from pathlib import Path

import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.preparation import pixel_keys, place_by_folder, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    folders = sorted(folder for folder in (raw / "train").iterdir() if folder.is_dir())
    rows = [(file.name, folder.name) for folder in folders for file in sorted(folder.glob("*.png"))]
    train, test = split(
        pd.DataFrame(rows, columns=["file", "species"]),
        content=lambda pictures: pixel_keys(raw / "train", pictures["species"] + "/" + pictures["file"]),
    )
    write_csv(test.assign(species="Sugar beet"), public / "sample_submission.csv")
    write_csv(test, private / "answers.csv")
    place_by_folder(train["file"], train["species"], raw / "train", public / "train")
    place_by_folder(test["file"], test["species"], raw / "train", public / "test", flat=True)


def check(submission: pd.DataFrame) -> None:
    """Refuse a column without any text; in v1, single gaps are wrong answers only."""
    if (submission["species"] == "").all():
        raise InvalidSubmissionError("The column 'species' must hold names of species, but it is empty.")
