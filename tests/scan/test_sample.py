from __future__ import annotations

import numpy as np

from mlebench.scan.sample import scan_sample


def test_a_sample_with_many_right_answers_is_found(make, rows, scan):
    train, test = rows(40), rows(100)
    sample = test[["id"]].assign(label=np.where(np.arange(100) % 3, test["label"], "cat"))
    (finding,) = scan(scan_sample, make(train, test, sample=sample))
    assert finding.column == "label"


def test_a_column_that_is_not_asked_for_is_found(make, rows, scan):
    train, test = rows(40), rows(100)
    sample = test[["id"]].assign(label="cat", number=np.arange(100))
    (finding,) = scan(scan_sample, make(train, test, sample=sample))
    assert finding.column == "number"


def test_a_constant_or_random_sample_is_silent(make, rows, rng, scan):
    train, test = rows(40), rows(100)
    sample = test[["id"]].assign(label=rng.choice(["cat", "dog"], 100))
    assert scan(scan_sample, make(train, test, sample=sample)) == []


def test_the_order_of_rows_makes_no_difference(make, rows, scan):
    train, test = rows(40), rows(100)
    sample = test[["id", "label"]].sample(frac=1, random_state=5)
    (finding,) = scan(scan_sample, make(train, test, sample=sample))
    assert finding.number == 1
