"""Cursive characters on pages of old Japanese books, each to be named and pointed at."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.metrics.detection import Objects, parse_objects
from mlebench.metrics.pairing import match_greedily, pair_inside
from mlebench.preparation import place_files, read_csv, repack, train_test_split, write_csv

BOX, POINT = 5, 3
"""The words that a true character takes and a predicted one: the label, then a box or a point."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "train.csv"), test_size=0.1)
    write_csv(train, public / "train.csv")
    write_csv(test.assign(labels="U+003F 1 1 U+FF2F 2 2"), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    write_csv(test.assign(labels=test["labels"].map(points, na_action="ignore")), private / "gold_submission.csv")
    place_files(["unicode_translation.csv"], raw, public)
    for part, pages in (("train", train), ("test", test)):
        names = set(pages["image_id"] + ".jpg")
        archive = f"{part}_images.zip"
        repack(raw / "train_images.zip", public / archive, {name: name for name in names}.get, expect=len(names))


def points(labels: str) -> str:
    """Return a prediction that names all characters of a page, each one pixel from the corner of its box."""
    words = labels.split()
    characters = zip(words[::BOX], words[1::BOX], words[2::BOX], strict=True)
    return " ".join(f"{label} {int(x) + 1} {int(y) + 1}" for label, x, y in characters)


def check(submission: pd.DataFrame) -> None:
    parse(submission, POINT)


def parse(pages: pd.DataFrame, width: int) -> Objects:
    texts = pages["labels"].astype(object).where(pages["labels"].notna(), "")
    return parse_objects(pages["image_id"], texts, width, label=0, separator=" ")


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    found, true = parse(submission, POINT), parse(answers, BOX)
    hits = count_hits(true, found)
    if not hits:
        return 0.0
    precision, recall = hits / len(found.text), hits / len(true.text)
    return 2 * precision * recall / (precision + recall)


def count_hits(true: Objects, found: Objects) -> int:
    """Return how many boxes are hit when each in turn takes the first free point of its label inside it.

    Of points inside the same boxes, no more are taken than there are boxes of that label on the page.
    """
    labels, label = np.unique(true.label, return_inverse=True)
    of_found = pd.Index(labels).get_indexer(pd.Index(found.label))
    wanted = true.text * len(labels) + label
    given = np.where(of_found < 0, -1, found.text * len(labels) + of_found)
    low = true.numbers[:, :2]
    at_most = int(np.bincount(np.unique(wanted, return_inverse=True)[1]).max(initial=0))
    pairs = pair_inside(low, low + true.numbers[:, 2:], wanted, found.numbers, given, at_most)
    return len(match_greedily(*pairs))
