from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mlebench.analysis.model import Rate, Rule
from mlebench.analysis.results import collect_runs
from mlebench.analysis.sources import Sources, read_sources
from mlebench.analysis.summary import summarize
from mlebench.errors import ReportError

from .files import write_report, write_scores

if TYPE_CHECKING:
    from pathlib import Path


def test_a_folder_of_reports_is_one_agent_with_a_seed_each(tmp_path: Path) -> None:
    for number, medal in enumerate((True, False)):
        write_report(
            tmp_path / "agent" / f"group{number}" / "grading_report.json",
            {"bronze_medal": medal},
            {"competition_id": "b"},
        )
    sources = read_sources(["agent"], tmp_path)
    (agent,) = summarize(sources).agents
    assert (agent.agent, agent.seeds_counted, agent.competitions) == ("agent", (0, 1), ("a", "b"))
    assert agent.rates[Rate.BRONZE].per_seed == (100, 50)


def test_seeds_in_one_file_and_reports_of_splits_come_together(tmp_path: Path) -> None:
    low = write_report(tmp_path / "low" / "grading_report.json", {}, {})
    high = write_report(tmp_path / "high" / "grading_report.json", {"competition_id": "b"}, {"competition_id": "b"})
    sources = read_sources([f"one={low}", f"one={high}"])
    (agent,) = summarize(sources).agents
    assert (agent.rule, agent.seeds_counted, agent.runs_left_over) == (Rule.COMPLETE, (0, 1), 0)


def test_what_is_left_over_padded_or_missing(tmp_path: Path) -> None:
    path = write_report(tmp_path / "grading_report.json", {}, {}, {"competition_id": "b"})
    reports = read_sources([f"x={path}"]).reports
    summary = summarize(Sources(reports=reports))
    (agent,) = summary.agents
    assert (agent.seeds_counted, agent.runs_left_over, agent.runs_padded) == ((0,), 1, 0)
    assert any("1 finished run left over" in sentence for sentence in summary.caveats)
    summary = summarize(Sources(reports=reports), competitions=["b", "c"], pad_missing=True)
    (agent,) = summary.agents
    assert (agent.competitions, agent.rates[Rate.ANY_MEDAL].mean) == (("b", "c"), 50)
    assert (agent.runs_left_over, agent.runs_padded) == (2, 1)
    assert any("1 run of the agent 'x' missing" in sentence for sentence in summary.caveats)


def test_reports_and_groups_stand_side_by_side(tmp_path: Path) -> None:
    folder = write_scores(tmp_path / "group", {"aide": {"a": [0.99, 0.4]}})
    report = write_report(tmp_path / "other" / "grading_report.json", {}, {})
    sources = read_sources([str(folder), str(report)])
    assert [agent.agent for agent in summarize(sources).agents] == ["aide", "other"]
    assert [group.folder for group in sources.groups] == [folder]


def test_one_agent_in_two_groups_stays_two_under_two_names(tmp_path: Path) -> None:
    before = write_scores(tmp_path / "before", {"aide": {"a": [0.99]}, "mlab": {"a": [0.4]}})
    after = write_scores(tmp_path / "after", {"aide": {"a": [0.4]}})
    sources = read_sources([f"old={before}", f"new={after}"])
    assert {run.agent for run in collect_runs(sources)} == {"old: aide", "old: mlab", "new"}


def test_the_same_source_counts_once(tmp_path: Path) -> None:
    path = write_report(tmp_path / "grading_report.json", {})
    assert len(read_sources([str(path), str(tmp_path)]).reports) == 1


def test_a_group_wins_over_the_report_in_its_folder(tmp_path: Path) -> None:
    folder = write_scores(tmp_path / "group", {"aide": {"a": [0.99]}})
    write_report(folder / "grading_report.json", {})
    assert not read_sources([str(folder)]).reports


def test_a_source_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="no run group"):
        read_sources(["nowhere"], tmp_path)
