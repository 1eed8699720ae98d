"""Ink on a papyrus fragment, to be found in a stack of X-ray slices."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.metrics.segmentation import LARGEST_PICTURE, decode_masks, encode_mask
from mlebench.preparation import place_tree, read_csv, write_csv

TRAIN, TEST, NEW_NAME = ("1", "2"), "3", "a"
LABELS = ("inklabels.png", "inklabels_rle.csv", "ir.png")
WEIGHT_OF_RECALL = 0.5**2


def prepare(raw: Path, public: Path, private: Path) -> None:
    labels = place_fragments(raw, public)
    width, height = picture_size(raw / "train" / TEST / "ir.png")
    write_csv(labels.assign(width=width, height=height), private / "inklabels_rle.csv")
    write_csv(labels, private / "gold_submission.csv")


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    labels = place_fragments(raw, public)
    fragment = read_mask(raw / "train" / TEST / "mask.png")
    labels["Predicted"] = [ink_inside(fragment, code) for code in labels["Predicted"]]
    write_csv(labels.assign(pixels=fragment.size, fragment=encode_rows(fragment)), private / "inklabels_rle.csv")
    write_csv(labels, private / "gold_submission.csv")


def place_fragments(raw: Path, public: Path) -> pd.DataFrame:
    """Place all public files, and return the labels of the test fragment."""
    for fragment in TRAIN:
        place_tree(raw / "train" / fragment, public / "train" / fragment)
    place_tree(raw / "train" / TEST, public / "test" / NEW_NAME, without=LABELS)
    labels = read_csv(raw / "train" / TEST / "inklabels_rle.csv").assign(Id=NEW_NAME)
    write_csv(labels[["Id"]].assign(Predicted="1 1 5 1"), public / "sample_submission.csv")
    return labels


def read_mask(path: Path) -> np.ndarray:
    """Return which pixels of a picture are not black: shape (height, width)."""
    from PIL import Image

    with Image.open(path) as picture:
        return np.asarray(picture.convert("L")) > 0


def ink_inside(fragment: np.ndarray, code: str) -> str:
    """Return the code of what a code marks inside the fragment."""
    ink, runs = np.zeros(fragment.size, dtype=bool), decode_masks([NEW_NAME], [code], fragment.size)
    for start, stop in zip(runs.start.tolist(), runs.stop.tolist(), strict=True):
        ink[start:stop] = True
    return encode_rows(ink.reshape(fragment.shape) & fragment)


def encode_rows(mask: np.ndarray) -> str:
    return encode_mask(mask.T)


def picture_size(path: Path) -> tuple[int, int]:
    from PIL import Image

    with Image.open(path) as picture:
        return picture.size


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the mean over fragments of the F0.5 score of pixels, 0 where no pixel is hit."""
    pixels = (answers["width"] * answers["height"]).to_numpy()
    truth, prediction = (decode_masks(masks["Id"], masks["Predicted"], pixels) for masks in (answers, submission))
    return mean_f_score(truth.overlaps(prediction), truth.areas, prediction.areas)


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the same score of the pixels inside the fragments; the answers mark no others."""
    codes = answers["Predicted"], submission["Predicted"], answers["fragment"]
    truth, prediction, fragment = (decode_masks(answers["Id"], code, answers["pixels"], strict=True) for code in codes)
    return mean_f_score(truth.overlaps(prediction), truth.areas, prediction.overlaps(fragment))


def mean_f_score(hits: np.ndarray, true: np.ndarray, marked: np.ndarray) -> float:
    weighted = WEIGHT_OF_RECALL * true + marked
    return float(np.mean((1 + WEIGHT_OF_RECALL) * hits / np.where(hits, weighted, 1)))


def check(submission: pd.DataFrame) -> None:
    """Refuse broken codes. The size is not known here, so runs may not overlap behind the last pixel either."""
    decode_masks(submission["Id"], submission["Predicted"], LARGEST_PICTURE)


def check_v2(submission: pd.DataFrame) -> None:
    decode_masks(submission["Id"], submission["Predicted"], LARGEST_PICTURE, strict=True)
