"""Grading again keeps the first verdict, and never runs an agent."""

import pytest

from mlebench.errors import NotPreparedError, RunError
from mlebench.runs.record import RunRecord
from mlebench.runs.regrade import regrade
from mlebench.runs.store import RUN, read_record
from mlebench.runs.verify import verify


@pytest.fixture
def group(arena, submit):
    arena.run(arena.plan(arena.agent("tested", submit)))
    return arena.folder / "runs" / "group"


def test_the_new_verdict_stands_beside_the_first(arena, group):
    (first,) = (run.verdict for run in arena.run(arena.plan(arena.agent("tested", "")), group="group").runs.values())
    (run,) = regrade(group, arena.registry)
    assert run.verdict == first
    assert run.regrades[0].verdict.score == first.score
    assert read_record(group / run.run_id / RUN, RunRecord) == run
    (again,) = regrade(group, arena.registry)
    assert len(again.regrades) == 2
    assert again.attempt == 1
    assert verify(group) == []


def test_another_submission_than_the_graded_one_is_refused(arena, group):
    (group / "demo-wine_tested_seed-0" / "submission" / "submission.csv").write_text("id,quality\n")
    with pytest.raises(RunError, match="not the one that was graded"):
        list(regrade(group, arena.registry))


def test_without_data_it_says_what_to_prepare(arena, group, tmp_path):
    from mlebench.tasks.registry import Registry

    with pytest.raises(NotPreparedError, match="mlebench prepare"):
        list(regrade(group, Registry(tmp_path / "empty")))


def test_what_is_no_group_is_said_to_be_none(arena, tmp_path):
    with pytest.raises(RunError, match="not a run group"):
        list(regrade(tmp_path, arena.registry))
