from __future__ import annotations

import json

import pytest


def test_grade_writes_a_report_with_totals_and_rows_in_order(mlebench, ship, data_of, tmp_path):
    rows = [
        {"competition_id": "spaceship-titanic", "submission_path": str(ship.sample_submission), "logs_path": "x"},
        {"competition_id": "spaceship-titanic", "submission_path": None},
    ]
    listing = tmp_path / "submission.jsonl"
    listing.write_text("# seeds\n\n// and so on\n" + "".join(json.dumps(row) + "\n" for row in rows))
    result = mlebench("grade", "--submission", listing, "--output-dir", "reports", "--data-dir", data_of(ship))
    assert result.returncode == 0, result.stderr
    (path,) = (tmp_path / "reports").iterdir()
    assert path.name.endswith("_grading_report.json")
    assert result.stderr.splitlines()[-1] == f"Saved summary report to reports/{path.name}"
    report = json.loads(path.read_text())
    assert list(report) == [
        "total_runs",
        "total_runs_with_submissions",
        "total_valid_submissions",
        "total_medals",
        "total_gold_medals",
        "total_silver_medals",
        "total_bronze_medals",
        "total_above_median",
        "competition_reports",
    ]
    assert (report["total_runs"], report["total_runs_with_submissions"], report["total_valid_submissions"]) == (2, 1, 1)
    assert [row["submission_exists"] for row in report["competition_reports"]] == [True, False]


@pytest.mark.parametrize("content", ["not json\n", '{"submission_path": "x"}\n', "[1]\n", '"x"\n', "\udcff\n"])
def test_grade_refuses_a_broken_list_before_grading(mlebench, ship, data_of, tmp_path, content):
    listing = tmp_path / "submission.jsonl"
    listing.write_bytes(content.encode(errors="surrogateescape"))
    result = mlebench("grade", "--submission", listing, "--output-dir", "reports", "--data-dir", data_of(ship))
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "reports").exists()
