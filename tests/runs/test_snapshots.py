"""Snapshots of submissions are limited, graded after the run, and used when a run ends early."""

import json
import os
import time

import pytest

from mlebench.grading.judge import judge
from mlebench.grading.reports import Outcome
from mlebench.runs.curve import grade_snapshots
from mlebench.runs.events import read_events
from mlebench.runs.salvage import ATTIC
from mlebench.runs.snapshots import Bounds, Snapshot, Snapshots, read_snapshots
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import Limits, MiB

from ..waiting import wait_until

TWICE = """
import os, time
source = open(os.environ["DATA_DIR"] + "/sample_submission.csv").read()
target = "/home/submission/submission.csv"
def put(text):
    open(target + ".new", "w").write(text); os.rename(target + ".new", target)
put("not,yet"); time.sleep(4)
put(source); time.sleep(4)
"""


@pytest.fixture
def watched(tmp_path):
    (tmp_path / "submission").mkdir()
    (tmp_path / "attempt").mkdir()
    return tmp_path / "submission" / "submission.csv"


def watch(watched, events, **bounds):
    return Snapshots(watched, watched.parents[1] / "attempt", events=events, bounds=Bounds(period=0.02, **bounds))


def put(snapshots, path, text):
    """Replace a file, and wait until the last snapshot has its content."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text)
    fresh.replace(path)
    time.sleep(0.1)  # long enough for a second snapshot of the same content
    assert wait_until(lambda: snapshots.taken and snapshots.path(snapshots.taken[-1]).read_text() == text)


def ignore(kind, /, **facts):
    pass


def test_each_change_is_kept_once(watched):
    with watch(watched, ignore) as snapshots:
        for text in ("a", "b", "b", "a"):
            put(snapshots, watched, text)
    assert [snapshots.path(snapshot).read_text() for snapshot in snapshots.taken] == ["a", "b", "a"]
    assert read_snapshots(watched.parents[1] / "attempt") == snapshots.taken
    assert [one.seconds for one in snapshots.taken] == sorted(one.seconds for one in snapshots.taken)


def test_the_last_state_is_kept_even_right_before_the_end(watched):
    with watch(watched, ignore, patience=60) as snapshots:
        watched.write_text("last")
    assert [snapshots.path(snapshot).read_text() for snapshot in snapshots.taken] == ["last"]


def test_a_file_that_always_changes_is_copied_after_a_while(watched):
    with watch(watched, ignore, patience=0.2) as snapshots, watched.open("w") as file:
        for _ in range(20_000):
            file.write("more\n")
            file.flush()
            time.sleep(0.005)
            if len(snapshots.taken) >= 2:
                break
        else:
            pytest.fail("it was not copied")


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/etc/passwd")])
def test_only_regular_files_are_copied(watched, make):
    make(watched)
    with watch(watched, ignore) as snapshots:
        time.sleep(0.2)
    assert snapshots.taken == []


def test_hard_links_and_oversized_files_are_not_copied(watched):
    other = watched.with_name("other")
    other.write_text("linked")
    watched.hardlink_to(other)
    with watch(watched, ignore) as snapshots:
        time.sleep(0.2)
        watched.unlink()
        put(snapshots, watched, "x" * 101)
    assert len(snapshots.taken) == 1  # 101 bytes are fine here
    with watch(watched, ignore, file_bytes=100) as snapshots:
        time.sleep(0.2)
    assert snapshots.taken == []


def test_too_many_snapshots_are_thinned_out_but_the_last_stays(watched):
    told = []
    with watch(watched, lambda kind, /, **facts: told.append(kind), count=4, total_bytes=350) as snapshots:
        for number in range(9):
            put(snapshots, watched, f"{number}" * 100)
    assert len(snapshots.taken) <= 4
    assert snapshots.path(snapshots.taken[-1]).read_text() == "8" * 100
    assert "snapshots_dropped" in told
    kept = list((watched.parents[1] / "attempt" / "snapshots").glob("*.csv"))
    assert sum(path.stat().st_size for path in kept) <= 350


def test_a_runs_snapshots_are_graded_into_a_curve(arena):
    run = arena.run_one(TWICE)
    curve = json.loads((arena.folder / "runs/group" / run.run_id / "attempts/1/curve.json").read_text())
    assert [point["outcome"] for point in curve["points"]] == ["invalid", "graded"]
    assert curve["points"][1]["score"] == run.verdict.score
    assert run.snapshots == 2


@pytest.mark.parametrize(("gradings", "graded"), [(0, [8]), (1, [0, 8]), (3, [0, 2, 4, 8]), (9, range(9))])
def test_a_curve_has_fewer_points_if_time_is_short(tmp_path, prepared, monkeypatch, gradings, graded):
    """The clock moves only with each grading, by one; the last snapshot is what the run was graded for."""
    taken = [Snapshot(seconds=number, sha256=f"{number}" * 64, bytes=1) for number in range(9)]
    (tmp_path / "snapshots").mkdir()
    (tmp_path / "snapshots" / "index.jsonl").write_text("".join(f"{one.model_dump_json()}\n" for one in taken))
    verdict = judge(tmp_path / "nothing.csv", prepared("demo-wine"))
    final = verdict.model_copy(update={"submission_sha256": taken[-1].sha256})
    judged = []
    monkeypatch.setattr("mlebench.runs.curve.time.monotonic", lambda: len(judged))
    curve = grade_snapshots(tmp_path, final, lambda path: judged.append(path) or verdict, seconds=gradings)
    assert [point.seconds for point in curve.points] == list(graded)
    assert curve.ungraded == 9 - len(graded)
    assert len(judged) == len(graded) - 1


def test_an_interrupted_run_keeps_its_last_valid_submission(arena):
    limits = Limits(seconds=20, grace=0.2, memory=512 * MiB)
    run = arena.run_one(TWICE + "open(target, 'w').write('half of a'); time.sleep(100)", limits=limits)
    assert run.ending.reason is Reason.TIME
    assert run.verdict.outcome is Outcome.GRADED
    assert "submission of second" in run.salvaged
    attempt = arena.folder / "runs/group" / run.run_id / "attempts/1"
    assert (attempt / "submission" / ATTIC).read_text() == "half of a"
    assert any(event["kind"] == "salvaged" for event in read_events(attempt / "events.jsonl"))


def test_a_run_that_finishes_keeps_its_own_submission(arena):
    run = arena.run_one(TWICE + "open(target, 'w').write('half of a')")
    assert run.ending.reason is Reason.FINISHED
    assert run.verdict.outcome is Outcome.INVALID
    assert run.salvaged is None
