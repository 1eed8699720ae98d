from __future__ import annotations

import pytest

from mlebench.scan.grader import scan_grader

NUMBERS = {"id": "id", "targets": ["size"], "values": "numbers"}


@pytest.fixture
def task(make, rows, rng):
    def make_task(code=None, **shape):
        test = rows(30).assign(size=rng.normal(size=30).round(3)).drop(columns="label")
        sample = test[["id"]].assign(size=0.1)
        declared = {"grade": "grade"} if code else {"metric": "mean_absolute_error"}
        competition = make(None, test, shape=NUMBERS | shape, sample=sample, **declared)
        (competition.folder / "task.py").write_text(f"def grade(submission, answers):\n    {code or 'pass'}\n")
        return competition

    return make_task


def kinds(findings):
    return {finding.column for finding in findings}


def test_a_strict_grader_is_silent(task, scan):
    assert scan(scan_grader, task()) == []


def test_a_grader_that_pairs_rows_by_their_place_is_found(task, scan):
    assert "the rows in reverse order" in kinds(scan(scan_grader, task(match="position")))


def test_a_grader_that_skips_blank_cells_is_found(task, scan):
    code = "return -(submission['size'] - answers['size']).abs().mean()"
    found = scan(scan_grader, task(code, missing="allowed"))
    assert "a blank cell" in kinds(found)


def test_a_grader_that_gives_nan_is_found(task, scan):
    code = "return -abs(submission['size'].to_numpy() - answers['size'].to_numpy()).mean()"
    found = scan(scan_grader, task(code, missing="allowed"))
    assert any("NaN" in finding.what for finding in found)
