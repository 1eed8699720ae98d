"""Animals in photos from camera traps at new places."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import draw_groups, read_csv, repack, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    photos = read_csv(raw / "train.csv")
    in_test = draw_groups(photos["location"], test_size=0.1, seed=8)
    train, test = photos[~in_test], photos[in_test]
    answers = pd.DataFrame({"Id": test["id"], "Category": test["category_id"]})
    sample = answers.assign(Category=0)
    sample.insert(0, "", sample.index)  # v1's quirk: the numbers of the raw rows
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="category_id"), public / "test.csv")
    write_csv(sample, public / "sample_submission.csv")
    write_csv(answers, private / "answers.csv")
    write_csv(test, private / "test.csv")
    for part, rows in {"train": train, "test": test}.items():
        names = {f"{id}.jpg": f"{id}.jpg" for id in rows["id"]}
        repack(raw / "train_images.zip", public / f"{part}_images.zip", want=names.get, expect=len(names))
