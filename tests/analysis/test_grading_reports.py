from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from mlebench.analysis.grading_reports import find_grading_reports, read_grading_report
from mlebench.analysis.results import collect_runs
from mlebench.analysis.sources import Sources, read_sources
from mlebench.analysis.summary import summarize
from mlebench.errors import ReportError
from mlebench.grading.reports import Outcome
from mlebench.tasks.registry import registry

from .files import write_report

if TYPE_CHECKING:
    from pathlib import Path


def test_reports_are_in_natural_order(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        write_report(tmp_path / f"group{number}" / "2025_grading_report.json", {})
    assert [path.parent.name for path in find_grading_reports(tmp_path)] == ["group1", "group2", "group10"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not valid JSON"),
        (b'{"competition_reports": [{"compet', "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b"\xff\xfe", "not valid JSON"),
        (b"[]", "no list 'competition_reports'"),
        (b'{"competition_reports": 3}', "no list 'competition_reports'"),
        (b'{"competition_reports": [{"competition_id": "a"}]}', "row 1, submission_exists"),
        (b'{"competition_reports": [7]}', "row 1: "),
    ],
)
def test_damaged_reports(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "grading_report.json"
    path.write_bytes(content)
    with pytest.raises(ReportError, match=words) as caught:
        read_sources([str(tmp_path)])
    assert "\n" not in str(caught.value)


def test_outcomes_follow_from_flags(tmp_path: Path) -> None:
    path = write_report(
        tmp_path / "grading_report.json",
        {"score": float("nan")},
        {"valid_submission": False, "bronze_medal": False, "above_median": False, "score": None},
        {"submission_exists": False, "valid_submission": False, "bronze_medal": False, "above_median": False},
    )
    runs = collect_runs(Sources(reports=(read_grading_report(path, "x"),)))
    assert [run.outcome for run in runs] == [Outcome.GRADED, Outcome.INVALID, Outcome.MISSING]
    assert [run.seed for run in runs] == [0, 1, 2]
    assert summarize(Sources(reports=(read_grading_report(path, "x"),))).model_dump_json()


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"gold_medal": True}, "several medals"),
        ({"any_medal": False}, "a medal without any_medal"),
        ({"bronze_medal": False, "any_medal": True}, "any_medal without a medal"),
        ({"submission_exists": False}, "does not exist"),
        ({"valid_submission": False}, "without a valid submission"),
    ],
)
def test_rows_that_contradict_themselves_are_named(tmp_path: Path, row: dict[str, Any], words: str) -> None:
    path = write_report(tmp_path / "grading_report.json", row)
    assert any(words in sentence for sentence in summarize(Sources(reports=(read_grading_report(path, "x"),))).caveats)


def test_labels_that_no_task_has_are_competitions_too(tmp_path: Path) -> None:
    path = write_report(tmp_path / "grading_report.json", {"competition_id": "foo@bar"}, {"version": "v2"})
    summary = summarize(Sources(reports=(read_grading_report(path, "x"),)), registry=registry)
    assert [competition.competition for competition in summary.competitions] == ["a@v2", "foo@bar"]
