"""Masks of salt in seismic images of 101 x 101 pixels."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.metrics.segmentation import Runs, decode_masks
from mlebench.preparation import extract, read_csv, read_member, train_test_split, write_csv

PIXELS = 101 * 101
THRESHOLDS = np.arange(0.5, 1.0, 0.05)


def prepare(raw: Path, public: Path, private: Path) -> None:
    archive = raw / "competition_data.zip"
    masks = read_csv(read_member(archive, "competition_data/train.csv")).fillna("")
    train, test = (part.sort_values(by="id") for part in train_test_split(masks, test_size=0.25))
    depths = read_csv(raw / "depths.csv")
    write_csv(train, public / "train.csv")
    write_csv(depths[depths["id"].isin(train["id"])].sort_values(by="id"), public / "depths.csv")
    write_csv(test.assign(rle_mask="1 1"), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")

    place = {f"competition_data/train/images/{id}.png": f"train/images/{id}.png" for id in train["id"]}
    place |= {f"competition_data/train/masks/{id}.png": f"train/masks/{id}.png" for id in train["id"]}
    place |= {f"competition_data/train/images/{id}.png": f"test/images/{id}.png" for id in test["id"]}
    extract(archive, public, want=place.get, expect=len(place))


def prepare_with_all_depths(raw: Path, public: Path, private: Path) -> None:
    prepare(raw, public, private)
    write_csv(read_csv(raw / "depths.csv").sort_values(by="id"), public / "depths.csv")


def grade(submission: pd.DataFrame, answers: pd.DataFrame, blank_marks_all: bool = True) -> float:
    truth = decode(answers)
    prediction = decode(submission, strict=not blank_marks_all)
    shared = truth.overlaps(prediction)
    if blank_marks_all:  # v1's quirk: against an image with salt, a blank prediction counts as a full one
        blank = prediction.areas == 0
        shared = np.where(blank, truth.areas, shared)
        union = np.where(blank, PIXELS, truth.areas + prediction.areas - shared)
    else:
        union = truth.areas + prediction.areas - shared
    iou = shared / np.maximum(union, 1)
    precision = (iou[:, np.newaxis] > THRESHOLDS).mean(axis=1)
    return float(np.mean(np.where(truth.areas == 0, prediction.areas == 0, precision)))


def grade_strictly(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return grade(submission, answers, blank_marks_all=False)


def check(submission: pd.DataFrame) -> None:
    decode(submission)


def check_strictly(submission: pd.DataFrame) -> None:
    decode(submission, strict=True)


def decode(masks: pd.DataFrame, *, strict: bool = False) -> Runs:
    return decode_masks(masks["id"], masks["rle_mask"], PIXELS, strict=strict)
