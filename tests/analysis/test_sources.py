from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mlebench.analysis.grading_reports import find_grading_reports, read_grading_report
from mlebench.analysis.model import Rate, Rule
from mlebench.analysis.results import collect_runs
from mlebench.analysis.sources import Sources, read_sources
from mlebench.analysis.summary import summarize
from mlebench.errors import ReportError, UsageError
from mlebench.grading.reports import Outcome
from mlebench.tasks.registry import registry

from .records import make_group, make_run, make_scores, make_verdict, sources_of

if TYPE_CHECKING:
    from pathlib import Path

ROW = {
    "competition_id": "a",
    "score": 0.5,
    "submission_exists": True,
    "valid_submission": True,
    "above_median": True,
    "gold_medal": False,
    "silver_medal": False,
    "bronze_medal": True,
}


def write(path: Path, *rows: dict[str, Any], **head: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**head, "competition_reports": [ROW | row for row in rows]}))
    return path


def write_group(folder: Path, scores: dict[str, dict[str, list[float | None]]], **changes: Any) -> Path:
    folder.mkdir(parents=True)
    (folder / "metadata.json").write_text(make_scores(scores, run_group=folder.name, **changes).model_dump_json())
    return folder


def test_reports_are_counted_as_people_count(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        write(tmp_path / f"group{number}" / "2025_grading_report.json", {})
    assert [path.parent.name for path in find_grading_reports(tmp_path)] == ["group1", "group2", "group10"]


def test_a_folder_of_reports_is_one_agent_with_a_seed_each(tmp_path: Path) -> None:
    for number, medal in enumerate((True, False)):
        write(
            tmp_path / "agent" / f"group{number}" / "grading_report.json",
            {"bronze_medal": medal},
            {"competition_id": "b"},
        )
    sources = read_sources(["agent"], tmp_path)
    (agent,) = summarize(sources).agents
    assert (agent.agent, agent.seeds_counted, agent.competitions) == ("agent", (0, 1), ("a", "b"))
    assert agent.rates[Rate.BRONZE].per_seed == (100, 50)


def test_seeds_in_one_file_and_reports_of_splits_come_together(tmp_path: Path) -> None:
    low = write(tmp_path / "low" / "grading_report.json", {}, {})
    high = write(tmp_path / "high" / "grading_report.json", {"competition_id": "b"}, {"competition_id": "b"})
    sources = read_sources([f"one={low}", f"one={high}"])
    (agent,) = summarize(sources).agents
    assert (agent.rule, agent.seeds_counted, agent.runs_left_over) == (Rule.COMPLETE, (0, 1), 0)


def test_what_is_left_over_padded_or_missing(tmp_path: Path) -> None:
    path = write(tmp_path / "grading_report.json", {}, {}, {"competition_id": "b"})
    gradings = read_sources([f"x={path}"]).reports
    summary = summarize(Sources(reports=gradings))
    (agent,) = summary.agents
    assert (agent.seeds_counted, agent.runs_left_over, agent.runs_padded) == ((0,), 1, 0)
    assert any("1 finished run left over" in sentence for sentence in summary.caveats)
    summary = summarize(Sources(reports=gradings), competitions=["b", "c"], pad_missing=True)
    (agent,) = summary.agents
    assert (agent.competitions, agent.rates[Rate.ANY_MEDAL].mean) == (("b", "c"), 50)
    assert (agent.runs_left_over, agent.runs_padded) == (2, 1)
    assert any("1 run of the agent 'x' missing" in sentence for sentence in summary.caveats)


def test_reports_and_groups_stand_side_by_side(tmp_path: Path) -> None:
    folder = write_group(tmp_path / "group", {"aide": {"a": [0.99, 0.4]}})
    report = write(tmp_path / "other" / "grading_report.json", {}, {})
    sources = read_sources([str(folder), str(report)])
    assert [agent.agent for agent in summarize(sources).agents] == ["aide", "other"]
    assert [group.folder for group in sources.groups] == [folder]


def test_one_agent_in_two_groups_stays_two_under_two_names(tmp_path: Path) -> None:
    before = write_group(tmp_path / "before", {"aide": {"a": [0.99]}, "mlab": {"a": [0.4]}})
    after = write_group(tmp_path / "after", {"aide": {"a": [0.4]}})
    sources = read_sources([f"old={before}", f"new={after}"])
    assert {run.agent for run in collect_runs(sources)} == {"old: aide", "old: mlab", "new"}


def test_the_same_source_counts_once(tmp_path: Path) -> None:
    path = write(tmp_path / "grading_report.json", {})
    assert len(read_sources([str(path), str(tmp_path)]).reports) == 1


def test_a_group_wins_over_the_report_in_its_folder(tmp_path: Path) -> None:
    folder = write_group(tmp_path / "group", {"aide": {"a": [0.99]}})
    write(folder / "grading_report.json", {})
    assert not read_sources([str(folder)]).reports


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


def test_nothing_of_that_name(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="no run group"):
        read_sources(["nowhere"], tmp_path)


def test_outcomes_follow_from_flags(tmp_path: Path) -> None:
    path = write(
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
    path = write(tmp_path / "grading_report.json", row)
    assert any(words in sentence for sentence in summarize(Sources(reports=(read_grading_report(path, "x"),))).caveats)


def test_scores_of_other_programs_get_their_place(tmp_path: Path) -> None:
    thresholds = registry.get_competition("spaceship-titanic").standings.thresholds
    flags = {"bronze_medal": False, "gold_medal": True, "is_lower_better": False}
    row = {"competition_id": "spaceship-titanic", "score": thresholds.gold, **flags}
    row |= {f"{name}_threshold": getattr(thresholds, name) for name in ("gold", "silver", "bronze")}
    path = write(tmp_path / "grading_report.json", row | {"median_threshold": 0.1})
    summary = summarize(Sources(reports=(read_grading_report(path, "x"),)), registry=registry)
    (run,) = summary.all_runs()
    assert run.rank is not None and run.teams is not None and run.percentile is not None and run.percentile > 90
    assert any("other thresholds" in sentence for sentence in summary.caveats)


def test_runs_that_differ_in_a_field_are_kept_apart() -> None:
    group = make_group(make_run("a", verdict=make_verdict("a")), plan={"profile": "paper-24h"})
    for field, value in (("profile", "paper-24h"), ("limits.seconds", "86400"), ("ending.reason", "finished")):
        assert [run.agent for run in collect_runs(sources_of(group), group_by=field)] == [f"aide · {value}"]
    assert [run.agent for run in collect_runs(sources_of(group), group_by="usage.requests")] == ["aide · none"]
    with pytest.raises(UsageError, match="no field 'colour'"):
        collect_runs(sources_of(group), group_by="colour")
