"""Glomeruli in very large microscopy images of kidney tissue."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.metrics.segmentation import Runs, decode_masks
from mlebench.preparation import place_files, read_csv, train_test_split, write_csv

INFORMATION = "HuBMAP-20-dataset_information.csv"
SUFFIXES = (".tiff", ".json", "-anatomical-structure.json")


def prepare(raw: Path, public: Path, private: Path) -> None:
    masks, information = read_csv(raw / "train.csv"), read_csv(raw / INFORMATION)
    train, test = train_test_split(masks, test_size=3)
    information = information[image_ids(information).isin(masks["id"])]
    answers = test.merge(sizes(information), on="id")
    predictions = answers[["id", "encoding"]].rename(columns={"encoding": "predicted"})
    write_csv(train, public / "train.csv")
    write_csv(information, public / INFORMATION)
    for path in (public / "sample_submission.csv", public / "test/sample_submission.csv"):
        write_csv(predictions.assign(predicted=""), path)
    write_csv(answers, private / "test.csv")
    write_csv(predictions, private / "gold_submission.csv")
    for part, images in (("train", train["id"]), ("test", test["id"])):
        place_files((id + suffix for id in images for suffix in SUFFIXES), raw / "train", public / part)


def image_ids(information: pd.DataFrame) -> pd.Series:
    return information["image_file"].str.replace(".tiff", "", regex=False)


def sizes(information: pd.DataFrame) -> pd.DataFrame:
    return information[["width_pixels", "height_pixels"]].assign(id=image_ids(information))


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the mean over images of the Dice coefficient, 1 where nothing is marked on either side."""
    truth = decode(answers.rename(columns={"encoding": "predicted"}), answers)
    prediction = decode(submission, answers)
    marked = truth.areas + prediction.areas
    return float(np.mean(np.where(marked, 2 * truth.overlaps(prediction) / np.maximum(marked, 1), 1)))


def check(submission: pd.DataFrame, information: pd.DataFrame) -> None:
    decode(submission, submission[["id"]].merge(sizes(information), on="id"))


def decode(masks: pd.DataFrame, images: pd.DataFrame) -> Runs:
    return decode_masks(masks["id"], masks["predicted"], (images["height_pixels"] * images["width_pixels"]).to_numpy())
