import json
import os

import pytest

from mlebench.errors import GroupBusyError, RunError
from mlebench.runs.store import GroupStore


def test_the_same_plan_runs_nothing_twice(arena, submit):
    plan = arena.plan(arena.agent("once", submit), seeds=2)
    first = arena.run(plan)
    began = list(arena.progress.begun)
    assert arena.run(plan) == first
    assert arena.progress.begun == began


def test_another_plan_in_the_same_group_is_refused(arena, submit):
    agent = arena.agent("once", submit)
    arena.run(arena.plan(agent))
    with pytest.raises(RunError, match="seeds: 1 before, 2 now"):
        arena.run(arena.plan(agent, seeds=2))


def test_a_folder_name_that_is_not_utf8_is_refused_before_anything_runs(arena, submit):
    with pytest.raises(RunError, match="not UTF-8"):
        arena.run(arena.plan(arena.agent("once", submit)), group=os.fsdecode(b"group\xff"))
    assert not (arena.folder / "runs").exists()


def test_a_group_is_locked_by_one_process(arena, submit):
    plan = arena.plan(arena.agent("once", submit))
    folder = arena.folder / "runs" / "group"
    store = GroupStore.open(folder, plan.record, plan.runs, plan.guarantees, plan.enforcement)
    try:
        with pytest.raises(GroupBusyError):
            arena.run(plan)
    finally:
        store.close()
    arena.run(plan)


def test_other_programs_can_read_submission_jsonl_and_metadata(arena, submit):
    record = arena.run(arena.plan(arena.agent("good", submit), arena.agent("idle", "pass")))
    folder = arena.folder / "runs" / "group"
    lines = [json.loads(line) for line in (folder / "submission.jsonl").read_text().splitlines()]
    assert [line["competition_id"] for line in lines] == ["demo-wine", "demo-wine"]
    assert [line["submission_path"] is None for line in lines] == [False, True]
    report = json.loads((folder / "grading_report.json").read_text())
    assert (report["total_runs"], report["total_valid_submissions"]) == (2, 1)
    assert [row["submission_exists"] for row in report["competition_reports"]] == [True, False]
    metadata = json.loads((folder / "metadata.json").read_text())
    assert metadata["run_group"] == "group"
    assert list(metadata["runs"]) == list(record.runs)
    assert all(run_id.partition("_")[0] == "demo-wine" for run_id in metadata["runs"])
