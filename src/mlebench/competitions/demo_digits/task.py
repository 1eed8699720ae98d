"""Handwritten digits in pictures of 8 x 8 pixels."""

from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image
from sklearn.datasets import load_digits

from mlebench.preparation import number_shuffled, place_files, read_csv, train_test_split, write_csv


def make_raw(raw: Path) -> None:
    digits = load_digits()
    labels = number_shuffled(pd.DataFrame({"digit": digits.target}))
    write_csv(labels, raw / "labels.csv")
    (raw / "images").mkdir()
    for position, id in zip(labels.index.tolist(), labels["id"], strict=True):
        grey = (digits.images[position] * 15).astype(np.uint8)  # the scans have levels 0 to 16
        Image.fromarray(grey).save(raw / f"images/{id}.png")


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "labels.csv"), test_size=0.5)
    write_csv(train, public / "train.csv")
    write_csv(test[["id"]].assign(digit=0), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    place_files((f"{id}.png" for id in train["id"]), raw / "images", public / "train")
    place_files((f"{id}.png" for id in test["id"]), raw / "images", public / "test")
