from __future__ import annotations

import json

import pytest

import mlebench
from mlebench.errors import NotPreparedError, UsageError


def write_list(folder, *rows):
    path = folder / "submission.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return path


def test_the_data_directory_may_be_given_instead_of_a_registry(ship, tmp_path):
    path = write_list(tmp_path, {"competition_id": ship.id, "submission_path": str(ship.sample_submission)})
    report = mlebench.grade_jsonl(path, tmp_path / "reports", data_dir=ship.prepared_dir.parents[1])
    assert json.loads(report.read_text())["competition_reports"][0]["score"] == 0.5


def test_all_competitions_must_be_prepared_before_the_first_is_graded(ship, tmp_path):
    path = write_list(tmp_path, {"competition_id": ship.id, "submission_path": None})
    with pytest.raises(
        NotPreparedError, match=r"Not prepared: spaceship-titanic\. Run: mlebench prepare -c spaceship-"
    ):
        mlebench.grade_jsonl(path, tmp_path / "reports", data_dir=tmp_path)
    assert not (tmp_path / "reports").exists()


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("[]", "Entry 1 of .* has no competition_id"),
        ({"submission_path": None}, "Entry 1 of .* has no competition_id"),
        ("{", "Line 1 of .* is not JSON"),
    ],
)
def test_a_wrong_entry_is_named_by_its_number(row, problem, tmp_path):
    with pytest.raises(UsageError, match=problem):
        mlebench.grade_jsonl(write_list(tmp_path, row), tmp_path)


def test_a_missing_list_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"There is no file .*none\.jsonl"):
        mlebench.grade_jsonl(tmp_path / "none.jsonl", tmp_path)
