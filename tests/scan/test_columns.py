from __future__ import annotations

import numpy as np

from mlebench.scan.columns import scan_columns


def test_a_column_that_gives_the_answer_away_is_found(make, rows, rng, scan):
    def leaky(size):
        table = rows(size)
        return table.assign(weight=(table["label"] == "dog") + rng.normal(0, 0.1, size))

    (finding,) = scan(scan_columns, make(leaky(200), leaky(80)))
    assert finding.column == "weight"
    assert finding.number > 0.9


def test_a_column_that_only_helps_is_silent(make, rows, rng, scan):
    def honest(size):
        table = rows(size)
        return table.assign(**{name: (table["label"] == "dog") + rng.normal(0, 1.5, size) for name in ("a", "b", "c")})

    assert scan(scan_columns, make(honest(200), honest(80))) == []


def test_a_rare_value_that_only_one_class_has_is_found(make, rows, scan):
    def leaky(size):
        table = rows(size)
        known = (table["label"] == "dog") & (np.arange(size) % 4 == 0)
        return table.assign(giver=np.where(known, [f"user{number}" for number in range(size)], "N/A"))

    (finding,) = scan(scan_columns, make(leaky(200), leaky(80)))
    assert finding.column == "giver"
    assert finding.number == 1


def test_a_rare_value_that_both_classes_have_is_silent(make, rows, scan):
    def honest(size):
        return rows(size, giver=np.where(np.arange(size) % 5 == 0, [f"user{number}" for number in range(size)], "N/A"))

    assert scan(scan_columns, make(honest(200), honest(80))) == []
