from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import mlebench
from mlebench.analysis.live.site import Site
from mlebench.analysis.page.run import name_run_pages
from mlebench.analysis.sources import read_sources
from mlebench.analysis.summary import summarize
from mlebench.errors import ReportError
from mlebench.runs.reader import Group, read_group
from mlebench.runs.record import GroupRecord, Status

from ..analysis.records import make_group, make_run, make_verdict
from ..oddities import ODDITIES

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path, group: GroupRecord) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "metadata.json").write_text(group.model_dump_json())
    return folder


def write_run(folder: Path, run_id: str, text: str) -> Path:
    file = folder / run_id / "run.json"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return file


def test_folder_and_file_name_the_same_group(tmp_path: Path) -> None:
    group = make_group(make_run(verdict=make_verdict()))
    folder = write(tmp_path / "group", group)
    file = folder / "metadata.json"
    assert read_group(folder) == read_group(file) == Group(folder, group)
    assert read_sources([str(folder), str(file)]).groups == (Group(folder, group),)


def test_run_file_is_newer_than_the_copy(tmp_path: Path) -> None:
    folder = write(tmp_path, make_group(make_run(), make_run(seed=1)))
    newer = make_run(verdict=make_verdict(score=float("nan")))
    write_run(folder, newer.run_id, newer.model_dump_json())
    statuses = [run.status for run in read_group(folder).runs]
    assert statuses == [Status.GRADED, Status.PLANNED]


def test_runs_that_metadata_does_not_list_yet_are_read(tmp_path: Path) -> None:
    folder = write(tmp_path, make_group(make_run()))
    late = make_run(seed=1)
    write_run(folder, late.run_id, late.model_dump_json())
    assert list(read_group(folder).record.runs) == [make_run().run_id, late.run_id]


DAMAGES = ["", "{", "[]", '{"run_id": 3}', "\x00", '{"format_version": 9}']


@pytest.mark.parametrize("text", DAMAGES)
def test_damaged_metadata_is_named(tmp_path: Path, text: str) -> None:
    folder = write(tmp_path / "group", make_group(make_run()))
    (folder / "metadata.json").write_text(text)
    with pytest.raises(ReportError, match=r"metadata\.json is damaged or from another version") as refusal:
        read_group(folder)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("text", DAMAGES)
def test_a_damaged_run_does_not_count_and_keeps_no_other_from_being_read(tmp_path: Path, text: str) -> None:
    runs = [make_run(seed=seed, verdict=make_verdict()) for seed in range(2)]
    folder = write(tmp_path / "group", make_group(*runs))
    write_run(folder, runs[0].run_id, text)
    group = read_group(folder)
    assert [run.status for run in group.runs] == [Status.ENDED, Status.GRADED]
    assert [run.verdict for run in group.runs] == [None, runs[1].verdict]
    assert not group.is_finished
    (damage,) = group.damages.values()
    assert "run.json is damaged or from another version" in damage and "\n" not in damage
    summary = summarize(read_sources([str(folder)]))
    assert (summary.runs, summary.runs_finished) == (2, 1)
    assert any("they do not count" in sentence and runs[0].run_id in sentence for sentence in summary.caveats)


@pytest.mark.parametrize("oddity", sorted(ODDITIES.keys() - {"missing", "hard link"}))
@pytest.mark.parametrize("name", ["run.json", "attempts/1/curve.json", "attempts/1/events.jsonl"])
def test_no_kind_of_file_in_the_place_of_a_record_ends_a_report(tmp_path: Path, oddity: str, name: str) -> None:
    runs = [make_run(seed=seed, verdict=make_verdict()) for seed in range(2)]
    folder = write(tmp_path / "group", make_group(*runs))
    place = folder / runs[0].run_id / name
    place.parent.mkdir(parents=True)
    ODDITIES[oddity](place)
    report = mlebench.report(str(folder), runs_dir=tmp_path)
    is_damaged = name == "run.json" and oddity not in ("dangling link", "loop")  # which are as if it were missing
    assert report.summary.runs_finished == (1 if is_damaged else 2)
    report.write(run_pages=True)
    site = Site([str(folder)], tmp_path, None)
    assert all(site.respond(f"/report_files/{page}") for page in name_run_pages(report.summary).values())


def test_a_run_in_a_folder_of_another_name_is_named_and_left_out(tmp_path: Path) -> None:
    folder = write(tmp_path, make_group(make_run()))
    write_run(folder, "elsewhere", make_run().model_dump_json())
    group = read_group(folder)
    assert list(group.record.runs) == [make_run().run_id]
    assert "its folder has another name" in group.damages["elsewhere"]


def test_a_missing_group_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="no run group at"):
        read_group(tmp_path / "nowhere")
    with pytest.raises(ReportError, match="is not a run group"):
        read_group(tmp_path)


def test_folder_of_groups_names_those_in_it(tmp_path: Path) -> None:
    write(tmp_path / "monday", make_group())
    with pytest.raises(ReportError, match="name one of the groups in it: monday"):
        read_group(tmp_path)


def test_a_group_is_shown_by_its_name_and_progress(tmp_path: Path) -> None:
    group = Group(tmp_path, make_group(make_run(verdict=make_verdict()), make_run(seed=1)))
    assert repr(group) == f"<Group {group.name}: 1 of 2 runs graded>"
