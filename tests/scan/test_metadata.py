from __future__ import annotations

import os

import pytest

from mlebench.scan.metadata import scan_metadata


@pytest.fixture
def pictures(make, rows, rng):
    """A task with a file per test item; the argument gives the order in which the files are written."""

    def make_pictures(order):
        test = rows(120)[["id", "label"]]
        competition = make(None, test)
        for number, row in enumerate(order(test).itertuples()):
            path = competition.public_dir / "test" / f"{row.id}.png"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(rng.bytes(50))
            os.utime(path, ns=(10**18 + number * 10**9,) * 2)
        return competition

    return make_pictures


def test_files_written_class_by_class_are_found_by_their_times(pictures, scan):
    found = scan(scan_metadata, pictures(lambda test: test.sort_values("label", kind="stable")))
    assert {"mtime"} <= {finding.column for finding in found}
    finding = next(finding for finding in found if finding.column == "mtime")
    assert finding.file == "test/"
    assert finding.number > 0.8 > finding.threshold
    assert finding.details["p"] < 0.001


def test_files_written_in_random_order_are_silent(pictures, scan):
    assert scan(scan_metadata, pictures(lambda test: test.sample(frac=1, random_state=3))) == []


def test_rows_that_alternate_between_classes_are_found(make, rows, scan):
    sorted_rows = rows(200).sort_values("label")
    found = scan(scan_metadata, make(rows(50), sorted_rows))
    assert [finding.column for finding in found] == ["row"]


def test_numbers_in_ids_that_follow_the_answer_are_found(make, rows, rng, scan):
    test = rows(200)
    test["id"] = [f"x{number}" for number in (rng.permutation(200) + 1000 * (test["label"] == "dog"))]
    assert "id" in [finding.column for finding in scan(scan_metadata, make(rows(50), test))]


def test_random_rows_and_ids_are_silent(make, rows, scan):
    assert scan(scan_metadata, make(rows(100), rows(300))) == []
