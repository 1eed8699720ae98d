"""Dogs and cats in photos."""

import re
from pathlib import Path

import pandas as pd

from mlebench.preparation import extract, member_keys, member_names, repack, write_csv
from mlebench.tasks.split import Split

PHOTO = re.compile(r"train/([^/]+\.jpg)")


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    for part, new_names in rename_photos(raw / "train.zip", public, private, split).items():
        extract(raw / "train.zip", public / part, want=new_names.get)
        repack(raw / "train.zip", public / f"{part}.zip", want=new_names.get)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    for part, new_names in rename_photos(raw / "train.zip", public, private, split).items():
        extract(raw / "train.zip", public / part, want=new_names.get)


def rename_photos(archive: Path, public: Path, private: Path, split: Split) -> dict[str, dict[str, str]]:
    """Write the tables, and return the new names of the photos of train and test by their names in the archive."""
    names = sorted(match[1] for match in map(PHOTO.fullmatch, member_names(archive)) if match)
    train, test = split(
        pd.DataFrame({"name": names}),
        content=lambda photos: member_keys(archive, "train/" + photos["name"], at_once=True),
    )
    number = pd.Series(range(1, len(test) + 1), index=test.index)
    answers = pd.DataFrame({"id": number, "label": test["name"].str.contains("dog").astype(int)})
    write_csv(answers.assign(label=0.5), public / "sample_submission.csv")
    write_csv(answers, private / "answers.csv")

    kind = train["name"].str.contains("cat").map({True: "cat.", False: "dog."})
    new_names = {"train": kind + kind.groupby(kind).cumcount().astype(str), "test": number.astype(str)}
    return {
        part: dict(zip("train/" + photos["name"], new_names[part] + ".jpg", strict=True))
        for part, photos in {"train": train, "test": test}.items()
    }
