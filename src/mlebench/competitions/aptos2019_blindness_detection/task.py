"""Severity of diabetic retinopathy from photos of the retina."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import drop_contradictory, pixel_keys, place_files, read_csv, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    photos = read_csv(raw / "train.csv")
    place_photos(*split(photos), raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    photos = read_csv(raw / "train.csv")
    photos["pixels"] = pixel_keys(raw / "train_images", photos["id_code"] + ".png")
    photos = drop_contradictory(photos, lambda rows: rows["pixels"], "diagnosis")
    train, test = (part.drop(columns="pixels") for part in split(photos, group="pixels"))
    place_photos(train, test, raw, public, private)


def place_photos(train: pd.DataFrame, test: pd.DataFrame, raw: Path, public: Path, private: Path) -> None:
    write_csv(train, public / "train.csv")
    write_csv(test[["id_code"]], public / "test.csv")
    write_csv(test.assign(diagnosis=0), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    for part, photos in (("train", train), ("test", test)):
        place_files((f"{id}.png" for id in photos["id_code"]), raw / "train_images", public / f"{part}_images")
