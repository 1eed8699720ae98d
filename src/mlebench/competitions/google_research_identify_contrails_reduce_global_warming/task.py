"""Contrails of aircraft in sequences of infrared satellite images."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mlebench.metrics.segmentation import LARGEST_PICTURE, Runs, decode_masks, encode_mask
from mlebench.preparation import (
    group_split,
    place_files,
    place_tree,
    read_json,
    shuffle_rows,
    split_positions,
    write_csv,
)

BANDS = [f"band_{number:02}.npy" for number in range(8, 17)]
LABELS = ["human_individual_masks.npy", "human_pixel_masks.npy"]
DAY, TIME_ZONE = 24 * 3600, -6 * 3600
"""Seconds; days begin at night in the part of the world that the satellite sees."""

Records = list[dict[str, Any]]


def prepare(raw: Path, public: Path, private: Path) -> None:
    records, validation = read_records(raw)
    in_train, in_test = split_positions(len(records), test_size=len(validation))
    train, test = ([records[row] for row in rows] for rows in (in_train, in_test))
    place_tree(raw / "validation", public / "validation")
    place_files(["validation_metadata.json"], raw, public)
    answers = write_records(raw, public, private, train, test)
    write_csv(guess(answers), public / "sample_submission.csv")


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    records, validation = read_records(raw)
    rows = pd.DataFrame({"row": range(len(records)), "day": [day_of(record) for record in records]})
    in_train, in_test = group_split(rows, rows["day"], test_size=len(validation))
    train, test = ([records[row] for row in part["row"]] for part in (in_train, shuffle_rows(in_test)))
    days = set(in_test["day"])
    validation = [record for record in validation if day_of(record) not in days]
    for record in validation:
        place_tree(raw / "validation" / record["record_id"], public / "validation" / record["record_id"])
    write_metadata(validation, public / "validation_metadata.json")
    answers = write_records(raw, public, private, train, test)
    write_csv(guess(answers)[["record_id", "encoded_pixels"]], public / "sample_submission.csv")


def read_records(raw: Path) -> tuple[Records, Records]:
    """Return the metadata of train and validation."""
    train, validation = (read_json(raw / f"{part}_metadata.json") for part in ("train", "validation"))
    return train, validation


def day_of(record: dict[str, Any]) -> int:
    return int((record["timestamp"] + TIME_ZONE) // DAY)


def write_records(raw: Path, public: Path, private: Path, train: Records, test: Records) -> pd.DataFrame:
    """Write all but validation records and the sample submission; return the answers."""
    for part, files in ((train, [*BANDS, *LABELS]), (test, BANDS)):
        for record in part:
            folder = record["record_id"]
            place_files(files, raw / "train" / folder, public / ("train" if part is train else "test") / folder)
    write_metadata(train, public / "train_metadata.json")
    answers = pd.DataFrame([describe(raw / "train" / record["record_id"]) for record in test])
    write_csv(answers, private / "answers.csv")
    return answers


def write_metadata(records: Records, path: Path) -> None:
    path.write_text(json.dumps(records), encoding="utf-8")


def guess(answers: pd.DataFrame) -> pd.DataFrame:
    draw = random.Random(0)
    return answers.assign(encoded_pixels=[draw.choice(["1 3 10 5", "-"]) for _ in range(len(answers))])


def describe(folder: Path) -> dict[str, object]:
    """Return a row of the answers for the folder of a record."""
    mask = np.load(folder / "human_pixel_masks.npy")[..., 0] == 1
    height, width = np.load(folder / "band_08.npy", mmap_mode="r").shape[:2]
    return {
        "record_id": folder.name,
        "encoded_pixels": encode_mask(mask) or "-",
        "height": height,
        "width": width,
    }


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the Dice coefficient of the pixels of all records, NaN if none is marked on either side."""
    pixels = pixels_of(answers)
    return dice(decode(answers, pixels), decode(submission, pixels), of_nothing=float("nan"))


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    pixels = pixels_of(answers)
    return dice(decode(answers, pixels), decode(submission, pixels, strict=True), of_nothing=1.0)


def dice(truth: Runs, prediction: Runs, of_nothing: float) -> float:
    marked = truth.areas.sum() + prediction.areas.sum()
    return float(2 * truth.overlaps(prediction).sum() / marked) if marked else of_nothing


def check(submission: pd.DataFrame, sample: pd.DataFrame) -> None:
    decode(submission, pixels_of(sample))


def check_v2(submission: pd.DataFrame) -> None:
    """Refuse broken codes. The size is not known here, so runs may not overlap behind the last pixel either."""
    decode(submission, LARGEST_PICTURE, strict=True)


def pixels_of(records: pd.DataFrame) -> np.ndarray:
    return (records["height"] * records["width"]).to_numpy()


def decode(masks: pd.DataFrame, pixels: np.ndarray | int, *, strict: bool = False) -> Runs:
    codes = masks["encoded_pixels"].map(lambda code: "" if code == "-" else code)
    return decode_masks(masks["record_id"], codes, pixels, strict=strict)
