"""Products of a web shop, whose category is to be told from their pictures."""

from pathlib import Path

import numpy as np

from mlebench.preparation import BsonFile, place_files, split_positions, write_csv

FIRST_CATEGORY = 1000010653
EXAMPLES = 100


def prepare(raw: Path, public: Path, private: Path) -> None:
    products = BsonFile(raw / "train.bson", integers=["_id", "category_id"])
    drawn_train, drawn_test = split_positions(len(products.frame), test_size=0.1)
    train, test = np.sort(drawn_train), np.sort(drawn_test)
    products.write(train, public / "train.bson")
    products.write(train[:EXAMPLES], public / "train_example.bson")
    products.write(test, public / "test.bson", drop="category_id")
    place_files(["category_names.csv"], raw, public)

    answers = products.frame.iloc[drawn_test].sort_values(by="_id")
    write_csv(answers.assign(category_id=FIRST_CATEGORY), public / "sample_submission.csv")
    write_csv(answers, private / "answers.csv")
