from __future__ import annotations

import dataclasses
import json
import os
from datetime import datetime
from pathlib import Path

import pytest
from pydantic import ValidationError

from mlebench import grade
from mlebench.grade_helpers import CompetitionReport
from mlebench.grading.judge import judge
from mlebench.grading.reports import OWN_FIELDS, Outcome, Verdict, flat, report_row, totals

from .fields import FIELDS, TOTALS


def test_report_round_trips_as_plain_values_in_a_fixed_order(ship):
    report = grade.grade_csv(ship.sample_submission, ship)
    assert [field.name for field in dataclasses.fields(CompetitionReport)] == FIELDS
    values = report.to_dict()
    assert list(values) == FIELDS
    assert {type(value) for value in values.values()} <= {bool, float, str, type(None)}
    assert isinstance(report.created_at, datetime)
    assert CompetitionReport.from_dict(json.loads(json.dumps(values))) == report
    assert CompetitionReport(**{name: getattr(report, name) for name in FIELDS}) == report
    assert all(f"{name}=" in str(report) for name in FIELDS)
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.score = 1.0


def test_a_report_of_numpys_values_becomes_plain(ship):
    import numpy as np

    report = grade.grade_csv(ship.sample_submission, ship)
    numbers = {name: np.float64(getattr(report, name)) for name in FIELDS if name.endswith(("score", "threshold"))}
    truths = {name: np.bool_(getattr(report, name)) for name in FIELDS if isinstance(getattr(report, name), bool)}
    values = dataclasses.replace(report, submission_path=Path("a.csv"), **numbers, **truths).to_dict()
    assert {type(value) for value in values.values()} == {bool, float, str}
    assert values == report.to_dict() | {"submission_path": "a.csv"}


def test_aggregate_reports_gives_the_content_of_a_report_file(ship):
    reports = [grade.grade_csv(path, ship) for path in (ship.sample_submission, Path("none.csv"))]
    content = grade.aggregate_reports(reports)
    assert list(content) == TOTALS
    assert [content[name] for name in TOTALS[:-1]] == [2, 1, 1, 0, 0, 0, 0, 0]
    assert content["competition_reports"] == [report.to_dict() for report in reports]


@pytest.mark.parametrize(
    ("text", "flattened"),
    [(None, None), ("", ""), ("a\n  b\tc", "a b c"), ("{x}", "(x)"), (" a ", "a")],
)
def test_a_reason_is_one_line_without_braces(text, flattened):
    assert flat(text) == flattened


def test_a_report_without_a_field_cannot_be_read(ship):
    values = grade.grade_csv(ship.sample_submission, ship).to_dict()
    assert CompetitionReport.from_dict(values | {"other": 1}).to_dict() == values
    del values["any_medal"]
    with pytest.raises(KeyError, match="any_medal"):
        CompetitionReport.from_dict(values)


def test_totals_of_no_rows_are_zero():
    assert totals([]) == dict.fromkeys(TOTALS[:-1], 0) | {"competition_reports": []}


def test_a_row_begins_with_the_common_fields_and_is_plain_json(ship, tmp_path):
    row = report_row(grade.judge(tmp_path / "none.csv", ship))
    assert list(row) == [*FIELDS, *OWN_FIELDS]
    assert json.loads(json.dumps(row)) == row
    assert type(row["outcome"]) is str


@pytest.mark.parametrize(
    ("make", "exists", "outcome"),
    [
        (lambda path: None, False, Outcome.MISSING),
        (Path.mkdir, False, Outcome.INVALID),
        (os.mkfifo, False, Outcome.INVALID),
        (lambda path: path.symlink_to("nowhere"), False, Outcome.INVALID),
        (lambda path: path.symlink_to(path.name), False, Outcome.INVALID),
        (lambda path: path.symlink_to(path.parent), False, Outcome.INVALID),
        (lambda path: path.symlink_to("/etc/passwd"), True, Outcome.INVALID),
        (Path.touch, True, Outcome.INVALID),
        (lambda path: path.write_text("a,b\n"), True, Outcome.INVALID),
        (lambda path: path.open("wb").truncate(10**12), True, Outcome.INVALID),
    ],
)  # fmt: skip
def test_a_submission_exists_if_it_is_a_file(make, exists, outcome, ship, tmp_path):
    path = tmp_path / "submission.csv"
    make(path)
    verdict = grade.judge(path, ship)
    assert (verdict.outcome, verdict.submission_exists) == (outcome, exists)
    assert grade.grade_csv(path, ship).submission_exists is exists
    assert report_row(verdict)["submission_exists"] is exists


def test_verdicts_of_earlier_versions_keep_their_bytes(ship):
    """They do not say whether there was a file, so the outcome does."""
    verdict = grade.judge(ship.sample_submission, ship)
    old = {name: value for name, value in json.loads(verdict.model_dump_json()).items() if name != "submission_exists"}
    for outcome in Outcome:
        text = json.dumps(old | {"outcome": outcome}, separators=(",", ":"))
        read = Verdict.model_validate_json(text)
        assert json.loads(read.model_dump_json()) == json.loads(text)
        assert report_row(read)["submission_exists"] is (outcome is not Outcome.MISSING)


@pytest.mark.parametrize("reason", [5, ["a"], {}, True])
def test_a_reason_that_is_no_text_is_a_validation_error(ship, reason):
    values = judge(ship.sample_submission, ship).model_dump()
    with pytest.raises(ValidationError):
        Verdict.model_validate(values | {"reason": reason})
