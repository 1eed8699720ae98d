"""What v2 of cdiscount-image-classification-challenge repairs."""

from __future__ import annotations

import pytest

from benchmarks.rehearsal.formats import bson_bytes
from mlebench.competitions.cdiscount_image_classification_challenge.task import MAX_COPIES, prepare, prepare_v2
from mlebench.preparation import BsonFile, read_csv

PLACEHOLDER = {"picture": b"no picture"}
RARE = 200


@pytest.fixture
def raw(tmp_path):
    """Make products of which the first have categories of their own; all have a placeholder, and pairs a picture."""
    folder = tmp_path / "raw"
    folder.mkdir()
    products = [
        {"_id": n, "category_id": n if n < RARE else 9999, "imgs": [PLACEHOLDER, {"picture": b"%d" % (n // 2)}]}
        for n in range(MAX_COPIES + 100)
    ]
    (folder / "train.bson").write_bytes(b"".join(map(bson_bytes, products)))
    (folder / "category_names.csv").write_text("category_id\n")
    return folder


@pytest.fixture
def parts(raw, tmp_path):
    """Return train and the answers of v1 and of v2."""

    def read(prepare, name):
        public, private = tmp_path / name / "public", tmp_path / name / "private"
        prepare(raw, public, private)
        train = BsonFile(public / "train.bson", ["_id", "category_id"]).frame
        return train, read_csv(private / "answers.csv")

    return read(prepare, "v1"), read(prepare_v2, "v2")


def test_each_category_of_v2_s_test_products_is_in_train(parts):
    for (train, answers), expected in zip(parts, (False, True), strict=True):
        assert set(answers["category_id"]).issubset(train["category_id"]) is expected


def test_no_train_product_of_v2_shares_a_picture_with_a_test_product(parts):
    for (train, answers), expected in zip(parts, (False, True), strict=True):
        assert set(train["_id"] // 2).isdisjoint(answers["_id"] // 2) is expected


def test_v2_leaves_out_no_products_that_share_a_placeholder_only(parts):
    (train, answers), (new_train, new_answers) = parts
    shared = train["_id"].floordiv(2).isin(answers["_id"] // 2)
    assert new_train["_id"].tolist() == train["_id"][~shared].tolist()
    known = answers["category_id"].isin(new_train["category_id"])
    assert new_answers["_id"].tolist() == answers["_id"][known].tolist()
