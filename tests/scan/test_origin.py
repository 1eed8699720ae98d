from __future__ import annotations

import numpy as np

from mlebench.scan.origin import scan_origin


def test_a_later_time_in_the_test_part_is_found(make, rows, rng, scan):
    train, test = rows(200, year=rng.integers(2000, 2010, 200)), rows(200, year=rng.integers(2007, 2017, 200))
    (finding,) = scan(scan_origin, make(train, test))
    assert finding.column == "year"
    assert finding.number > 0.7


def test_rows_drawn_in_the_same_way_are_silent(make, rows, rng, scan):
    table = rows(400, year=rng.integers(2000, 2010, 400))
    train, test = table.iloc[:200].reset_index(drop=True), table.iloc[200:].reset_index(drop=True)
    assert scan(scan_origin, make(train, test)) == []


def test_groups_that_are_on_one_side_each_are_silent(make, rows, rng, scan):
    group = np.repeat(rng.permutation(80), 5)
    table = rows(400, group=group, size=group * 0.1)
    train, test = table.iloc[:200].reset_index(drop=True), table.iloc[200:].reset_index(drop=True)
    assert scan(scan_origin, make(train, test)) == []
