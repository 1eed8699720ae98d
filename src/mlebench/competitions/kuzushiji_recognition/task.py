"""Cursive characters on pages of old Japanese books, each to be named and pointed at."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.metrics.boxes import refuse_objects
from mlebench.metrics.detection import Objects, parse_objects
from mlebench.metrics.pairing import match_greedily, pair_inside
from mlebench.preparation import place_files, read_csv, repack, write_csv
from mlebench.tasks.split import Split

BOX, POINT = 5, 3
"""The words that a true character takes and a predicted one: the label, then a box or a point."""
LARGEST_BOOK = 0.2
"""The share of all pages above which a book stays in train."""
MAX_CHARACTERS = 1200
"""Characters of a page."""

Point = Callable[[int, int, int, int], tuple[float, float]]
"""Makes a point of a box: its upper left corner, width and height."""


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    write_pages(raw, public, private, split, beside_corner)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    write_pages(raw, public, private, split, middle)


def beside_corner(x: int, y: int, width: int, height: int) -> tuple[float, float]:
    return x + 1, y + 1


def middle(x: int, y: int, width: int, height: int) -> tuple[float, float]:
    return x + width / 2, y + height / 2


def books_of(pages: pd.DataFrame) -> pd.Series:
    """Return the book of each page, none for a very large one."""
    books = pages["image_id"].str.split(r"[-_]", regex=True).str[0]
    return books.mask(books.map(books.value_counts(normalize=True)) > LARGEST_BOOK)


def write_pages(raw: Path, public: Path, private: Path, split: Split, point: Point) -> None:
    train, test = split(read_csv(raw / "train.csv"), group=books_of)
    write_csv(train, public / "train.csv")
    write_csv(test.assign(labels="U+003F 1 1 U+FF2F 2 2"), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    gold = test["labels"].map(lambda labels: points(labels, point), na_action="ignore")
    write_csv(test.assign(labels=gold), private / "gold_submission.csv")
    place_files(["unicode_translation.csv"], raw, public)
    for part, pages in (("train", train), ("test", test)):
        names = set(pages["image_id"] + ".jpg")
        archive = f"{part}_images.zip"
        repack(raw / "train_images.zip", public / archive, {name: name for name in names}.get, expect=len(names))


def points(labels: str, point: Point) -> str:
    """Return a prediction that names all characters of a page, each at a point of its box."""
    words = labels.split()
    boxes = zip(*(map(int, words[place::BOX]) for place in range(1, BOX)), strict=True)
    places = (point(*box) for box in boxes)
    return " ".join(f"{label} {x} {y}" for label, (x, y) in zip(words[::BOX], places, strict=True))


def check(submission: pd.DataFrame) -> None:
    parse(submission, POINT)


def check_v2(submission: pd.DataFrame) -> None:
    parse_v2(submission)


def parse_v2(submission: pd.DataFrame) -> Objects:
    names = submission["image_id"].tolist()
    found = parse_objects(names, submission["labels"], POINT, label=0)
    refuse_objects(names, found, ~np.isfinite(found.numbers).all(axis=1), "holds a number that is not finite")
    too_many = np.bincount(found.text)[found.text] > MAX_CHARACTERS
    refuse_objects(names, found, too_many, f"holds more than {MAX_CHARACTERS} characters")
    return found


def parse(pages: pd.DataFrame, width: int) -> Objects:
    texts = pages["labels"].astype(object).where(pages["labels"].notna(), "")
    return parse_objects(pages["image_id"], texts, width, label=0, separator=" ")


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return f1_score(parse(answers, BOX), parse(submission, POINT))


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return f1_score(parse(answers, BOX), parse_v2(submission))


def f1_score(true: Objects, found: Objects) -> float:
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
