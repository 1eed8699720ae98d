"""Ink on a papyrus fragment, to be found in a stack of X-ray slices."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.metrics.segmentation import LARGEST_PICTURE, decode_masks
from mlebench.preparation import place_tree, read_csv, write_csv

TRAIN, TEST, NEW_NAME = ("1", "2"), "3", "a"
LABELS = ("inklabels.png", "inklabels_rle.csv", "ir.png")
WEIGHT_OF_RECALL = 0.5**2


def prepare(raw: Path, public: Path, private: Path) -> None:
    for fragment in TRAIN:
        place_tree(raw / "train" / fragment, public / "train" / fragment)
    place_tree(raw / "train" / TEST, public / "test" / NEW_NAME, without=LABELS)
    labels = read_csv(raw / "train" / TEST / "inklabels_rle.csv").assign(Id=NEW_NAME)
    width, height = picture_size(raw / "train" / TEST / "ir.png")
    write_csv(labels[["Id"]].assign(Predicted="1 1 5 1"), public / "sample_submission.csv")
    write_csv(labels.assign(width=width, height=height), private / "inklabels_rle.csv")
    write_csv(labels, private / "gold_submission.csv")


def picture_size(path: Path) -> tuple[int, int]:
    from PIL import Image

    with Image.open(path) as picture:
        return picture.size


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the mean over fragments of the F0.5 score of pixels, 0 where no pixel is hit."""
    pixels = (answers["width"] * answers["height"]).to_numpy()
    truth, prediction = (decode_masks(masks["Id"], masks["Predicted"], pixels) for masks in (answers, submission))
    hits = truth.overlaps(prediction)
    weighted = WEIGHT_OF_RECALL * truth.areas + prediction.areas
    return float(np.mean((1 + WEIGHT_OF_RECALL) * hits / np.where(hits, weighted, 1)))


def check(submission: pd.DataFrame) -> None:
    """Refuse broken codes. The size is not known here, so runs may not overlap behind the last pixel either."""
    decode_masks(submission["Id"], submission["Predicted"], LARGEST_PICTURE)
