"""Animals in photos from camera traps at new places."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import draw_groups, read_csv, repack, shuffle_rows, write_csv

ANSWERS = {"id": "Id", "category_id": "Category"}


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = split_cameras(raw)
    sample = test[["id", "category_id"]].rename(columns=ANSWERS).assign(Category=0)
    sample.insert(0, "", sample.index)  # v1's quirk: the numbers of the raw rows
    write_tables(train, test, test.drop(columns="category_id"), sample, public, private)
    place_photos(raw, public, train["id"], test["id"], test["id"])


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    train, test = split_cameras(raw)
    test = shuffle_rows(test[~test["id"].duplicated(keep=False)])  # a photo of two kinds has two rows
    told = test.assign(
        id=range(len(test)),
        file_name=[f"{number}.jpg" for number in range(len(test))],
        seq_id=number_values(test["seq_id"]),
        location=number_values(test["location"]) + train["location"].max() + 1,
    )
    sample = told[["id", "category_id"]].rename(columns=ANSWERS).assign(Category=0)
    write_tables(train, told, told.drop(columns=["category_id", "rights_holder"]), sample, public, private)
    place_photos(raw, public, train["id"], test["id"], told["id"])


def split_cameras(raw: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    photos = read_csv(raw / "train.csv")
    in_test = draw_groups(photos["location"], test_size=0.1, seed=8)
    return photos[~in_test], photos[in_test]


def number_values(values: pd.Series) -> pd.Series:
    """Return a number for each value, from 0 in the order of the rows."""
    return pd.Series(values.factorize()[0], index=values.index)


def write_tables(
    train: pd.DataFrame, test: pd.DataFrame, told: pd.DataFrame, sample: pd.DataFrame, public: Path, private: Path
) -> None:
    """Write all tables; `told` is what agents see of `test`."""
    write_csv(train, public / "train.csv")
    write_csv(told, public / "test.csv")
    write_csv(sample, public / "sample_submission.csv")
    write_csv(test[["id", "category_id"]].rename(columns=ANSWERS), private / "answers.csv")
    write_csv(test, private / "test.csv")


def place_photos(raw: Path, public: Path, train: pd.Series, test: pd.Series, new: pd.Series) -> None:
    """Place the photos with these ids; those of test get new ones."""
    for part, old_ids, new_ids in (("train", train, train), ("test", test, new)):
        names = {f"{old}.jpg": f"{id}.jpg" for old, id in zip(old_ids, new_ids, strict=True)}
        repack(raw / "train_images.zip", public / f"{part}_images.zip", want=names.get, expect=len(names))
