"""Glomeruli in very large microscopy images of kidney tissue."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.metrics.segmentation import Runs, decode_masks
from mlebench.preparation import place_files, read_csv, write_csv
from mlebench.tasks.split import Split

INFORMATION = "HuBMAP-20-dataset_information.csv"
SUFFIXES = (".tiff", ".json", "-anatomical-structure.json")
SUFFIXES_WITHOUT_OUTLINES = (".tiff", "-anatomical-structure.json")


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    train, test, information = write_tables(raw, public, private, split)
    write_csv(information, public / INFORMATION)
    place_images(raw, public / "train", train, SUFFIXES)
    place_images(raw, public / "test", test, SUFFIXES)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    train, test, information = write_tables(raw, public, private, split)
    outlines, of_test = information["glomerulus_segmentation_file"], image_ids(information).isin(test["id"])
    write_csv(information.assign(glomerulus_segmentation_file=outlines.mask(of_test)), public / "image_information.csv")
    place_images(raw, public / "train", train, SUFFIXES)
    place_images(raw, public / "test", test, SUFFIXES_WITHOUT_OUTLINES)


def write_tables(
    raw: Path, public: Path, private: Path, split: Split
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Write masks and submissions; return the masks of train and test, and the table of all their images."""
    masks, information = read_csv(raw / "train.csv"), read_csv(raw / INFORMATION)
    patients = information.set_index(image_ids(information))["patient_number"]
    train, test = split(masks, group=lambda rows: rows["id"].map(patients))
    information = information[image_ids(information).isin(masks["id"])]
    answers = test.merge(sizes(information), on="id")
    predictions = answers[["id", "encoding"]].rename(columns={"encoding": "predicted"})
    write_csv(train, public / "train.csv")
    for path in (public / "sample_submission.csv", public / "test/sample_submission.csv"):
        write_csv(predictions.assign(predicted=""), path)
    write_csv(answers, private / "test.csv")
    write_csv(predictions, private / "gold_submission.csv")
    return train, test, information


def place_images(raw: Path, folder: Path, images: pd.DataFrame, suffixes: tuple[str, ...]) -> None:
    place_files((id + suffix for id in images["id"] for suffix in suffixes), raw / "train", folder)


def image_ids(information: pd.DataFrame) -> pd.Series:
    return information["image_file"].str.replace(".tiff", "", regex=False)


def sizes(information: pd.DataFrame) -> pd.DataFrame:
    return information[["width_pixels", "height_pixels"]].assign(id=image_ids(information))


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return mean_dice(submission, answers)


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return mean_dice(submission, answers, strict=True)


def mean_dice(submission: pd.DataFrame, answers: pd.DataFrame, *, strict: bool = False) -> float:
    """Return the mean over images of the Dice coefficient, 1 where nothing is marked on either side."""
    truth = decode(answers.rename(columns={"encoding": "predicted"}), answers)
    prediction = decode(submission, answers, strict=strict)
    marked = truth.areas + prediction.areas
    return float(np.mean(np.where(marked, 2 * truth.overlaps(prediction) / np.maximum(marked, 1), 1)))


def check(submission: pd.DataFrame, information: pd.DataFrame) -> None:
    decode(submission, submission[["id"]].merge(sizes(information), on="id"))


def check_v2(submission: pd.DataFrame, information: pd.DataFrame) -> None:
    decode(submission, submission[["id"]].merge(sizes(information), on="id"), strict=True)


def decode(masks: pd.DataFrame, images: pd.DataFrame, *, strict: bool = False) -> Runs:
    pixels = (images["height_pixels"] * images["width_pixels"]).to_numpy()
    return decode_masks(masks["id"], masks["predicted"], pixels, strict=strict)
