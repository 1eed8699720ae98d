"""The snapshots of a run are graded after it ended."""

import json

import pytest

from mlebench.grading.judge import judge
from mlebench.runs.curve import grade_snapshots
from mlebench.runs.snapshots import Snapshot


def test_a_runs_snapshots_are_graded_into_a_curve(arena, twice):
    run = arena.run_one(twice)
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


def test_each_content_is_graded_once_and_the_final_verdict_is_reused(tmp_path, prepared):
    digests = ["a" * 64, "b" * 64, "a" * 64, "c" * 64]
    taken = [Snapshot(seconds=number, sha256=digest, bytes=1) for number, digest in enumerate(digests)]
    (tmp_path / "snapshots").mkdir()
    (tmp_path / "snapshots" / "index.jsonl").write_text("".join(f"{one.model_dump_json()}\n" for one in taken))
    verdict = judge(tmp_path / "nothing.csv", prepared("demo-wine"))
    final = verdict.model_copy(update={"submission_sha256": digests[-1]})
    judged = []
    curve = grade_snapshots(tmp_path, final, lambda path: judged.append(path.stem) or verdict)
    assert [point.sha256 for point in curve.points] == digests
    assert sorted(judged) == ["a" * 64, "b" * 64]


def test_an_attempt_without_snapshots_has_no_curve(tmp_path, prepared):
    verdict = judge(tmp_path / "nothing.csv", prepared("demo-wine"))
    assert grade_snapshots(tmp_path, verdict, pytest.fail) is None
