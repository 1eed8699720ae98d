"""Products of a web shop, whose category is to be told from their pictures."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.preparation import BsonFile, place_files, split_positions, write_csv

FIRST_CATEGORY = 1000010653
EXAMPLES = 100
MAX_COPIES = 1000
"""A picture that is there more often is a placeholder, such as one that says that there is none."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    products = read_products(raw)
    train, test = split_positions(len(products.frame), test_size=0.1)
    place_products(products, train, test, raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    products = read_products(raw)
    category = products.frame["category_id"].to_numpy()
    train, test = split_positions(len(products.frame), test_size=0.1)
    train = without_shared(train, test, products.digests("picture"))
    test = test[np.isin(category[test], category[train])]
    place_products(products, train, test, raw, public, private)


def read_products(raw: Path) -> BsonFile:
    return BsonFile(raw / "train.bson", integers=["_id", "category_id"])


def without_shared(train: np.ndarray, test: np.ndarray, pictures: pd.DataFrame) -> np.ndarray:
    """Leave out train products that have a picture of a test product, unless it is a placeholder."""
    codes, digests = pictures["digest"].factorize()
    in_test = np.zeros(len(digests), dtype=bool)
    in_test[codes[np.isin(pictures["document"], test)]] = True
    in_test[np.bincount(codes) > MAX_COPIES] = False
    return train[~np.isin(train, pictures["document"][in_test[codes]])]


def place_products(
    products: BsonFile, train: np.ndarray, test: np.ndarray, raw: Path, public: Path, private: Path
) -> None:
    train_rows, test_rows = np.sort(train), np.sort(test)
    products.write(train_rows, public / "train.bson")
    products.write(train_rows[:EXAMPLES], public / "train_example.bson")
    products.write(test_rows, public / "test.bson", drop="category_id")
    place_files(["category_names.csv"], raw, public)

    answers = products.frame.iloc[test].sort_values(by="_id")
    write_csv(answers.assign(category_id=FIRST_CATEGORY), public / "sample_submission.csv")
    write_csv(answers, private / "answers.csv")
