from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import mlebench
from mlebench.analysis.tables import TABLES
from mlebench.errors import ReportError, UnknownNameError, UsageError
from mlebench.runs.reader import read_group

from .files import write_report, write_scores

if TYPE_CHECKING:
    from pathlib import Path

SCORES: dict[str, dict[str, list[float | None]]] = {
    "aide": {"spaceship-titanic": [0.99, 0.4]},
    "mlab": {"spaceship-titanic": [0.4, None]},
}


def test_a_group_may_be_named_by_name_path_or_object(tmp_path: Path) -> None:
    folder = write_scores(tmp_path / "group", SCORES)
    for sources in ("group", [folder], read_group(folder), [str(folder), folder]):
        report = mlebench.report(sources, runs_dir=tmp_path)
        assert (report.summary.runs, report.default_folder) == (4, folder)


def test_tables_are_frames_with_the_columns_of_files(tmp_path: Path) -> None:
    report = mlebench.report(write_scores(tmp_path / "group", SCORES))
    main = report.to_frame("main")
    assert main[["agent", "gold", "gold_sem"]].to_dict("list") == {
        "agent": ["aide", "mlab"],
        "gold": [50.0, 0.0],
        "gold_sem": [50.0, 0.0],
    }
    for name in TABLES:
        assert ",".join(report.to_frame(name)) == report.render("csv", name).splitlines()[0]


def test_without_a_table_each_run_is_a_row(tmp_path: Path) -> None:
    runs = mlebench.report(write_scores(tmp_path / "group", SCORES)).to_frame()
    assert list(runs["medal"].dropna()) == ["gold"]
    assert list(runs["seed"]) == [0, 1, 0, 1]


def test_rendering_is_writing(tmp_path: Path) -> None:
    folder = write_scores(tmp_path / "group", SCORES)
    report = mlebench.report(folder, without="leak,split")
    page = report.write(tmp_path / "out", run_pages=False)
    assert page.read_text() == report.render("html")
    assert json.loads((tmp_path / "out" / "report.json").read_text()) == json.loads(report.to_json())
    assert report.write() == folder / "report.html"


def test_an_empty_table_is_an_empty_frame(tmp_path: Path) -> None:
    frame = mlebench.report(write_scores(tmp_path / "group", {"aide": {"a": [0.5]}})).to_frame("category")
    assert (len(frame), list(frame)[:2]) == (0, ["category", "agent"])


def test_wrong_names(tmp_path: Path) -> None:
    report = mlebench.report(write_report(tmp_path / "grading_report.json", {}))
    with pytest.raises(UnknownNameError, match="did you mean 'main'"):
        report.table("mian")
    with pytest.raises(UnknownNameError, match="did you mean 'latex'"):
        report.render("latx")
    with pytest.raises(UsageError, match="no folder of its own"):
        report.write()
    with pytest.raises(ReportError, match="no run group at"):
        mlebench.report("nothing", runs_dir=tmp_path)
