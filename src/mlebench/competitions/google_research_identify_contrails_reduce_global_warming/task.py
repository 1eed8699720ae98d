"""Contrails of aircraft in sequences of infrared satellite images."""

import json
import random
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.metrics.segmentation import Runs, decode_masks, encode_mask
from mlebench.preparation import place_files, place_tree, read_json, split_positions, write_csv

BANDS = [f"band_{number:02}.npy" for number in range(8, 17)]
LABELS = ["human_individual_masks.npy", "human_pixel_masks.npy"]


def prepare(raw: Path, public: Path, private: Path) -> None:
    records = read_json(raw / "train_metadata.json")
    validation = read_json(raw / "validation_metadata.json")
    in_train, in_test = split_positions(len(records), test_size=len(validation))
    train, test = ([records[row] for row in rows] for rows in (in_train, in_test))
    for part, files in ((train, [*BANDS, *LABELS]), (test, BANDS)):
        for record in part:
            folder = record["record_id"]
            place_files(files, raw / "train" / folder, public / ("train" if part is train else "test") / folder)
    place_tree(raw / "validation", public / "validation")
    place_files(["validation_metadata.json"], raw, public)
    (public / "train_metadata.json").write_text(json.dumps(train), encoding="utf-8")

    answers = pd.DataFrame([describe(raw / "train" / record["record_id"]) for record in test])
    draw = random.Random(0)
    guesses = [draw.choice(["1 3 10 5", "-"]) for _ in test]
    write_csv(answers.assign(encoded_pixels=guesses), public / "sample_submission.csv")
    write_csv(answers, private / "answers.csv")


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
    truth, prediction = decode(answers, answers), decode(submission, answers)
    marked = truth.areas.sum() + prediction.areas.sum()
    return float(2 * truth.overlaps(prediction).sum() / marked) if marked else float("nan")


def check(submission: pd.DataFrame, sample: pd.DataFrame) -> None:
    decode(submission, sample)


def decode(masks: pd.DataFrame, sizes: pd.DataFrame) -> Runs:
    codes = masks["encoded_pixels"].map(lambda code: "" if code == "-" else code)
    return decode_masks(masks["record_id"], codes, (sizes["height"] * sizes["width"]).to_numpy())
