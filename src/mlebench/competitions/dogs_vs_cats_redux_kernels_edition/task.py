"""Dogs and cats in photos."""

import re
from pathlib import Path

import pandas as pd

from mlebench.preparation import extract, member_names, repack, train_test_split, write_csv

PHOTO = re.compile(r"train/([^/]+\.jpg)")


def prepare(raw: Path, public: Path, private: Path) -> None:
    archive = raw / "train.zip"
    names = sorted(match[1] for match in map(PHOTO.fullmatch, member_names(archive)) if match)
    train, test = train_test_split(pd.DataFrame({"name": names}), test_size=0.1)
    number = pd.Series(range(1, len(test) + 1), index=test.index)
    answers = pd.DataFrame({"id": number, "label": test["name"].str.contains("dog").astype(int)})
    write_csv(answers.assign(label=0.5), public / "sample_submission.csv")
    write_csv(answers, private / "answers.csv")

    kind = train["name"].str.contains("cat").map({True: "cat.", False: "dog."})
    new_names = {"train": kind + kind.groupby(kind).cumcount().astype(str), "test": number.astype(str)}
    for part, photos in {"train": train, "test": test}.items():
        place = dict(zip("train/" + photos["name"], new_names[part] + ".jpg", strict=True))
        extract(archive, public / part, want=place.get)
        repack(archive, public / f"{part}.zip", want=place.get)
