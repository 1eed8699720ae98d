"""Grading again keeps the first verdict, and never runs an agent."""

import pytest

from mlebench.errors import NotPreparedError, RunError
from mlebench.grading.reports import Outcome
from mlebench.runs.layout import RUN
from mlebench.runs.reader import read_record
from mlebench.runs.record import RunRecord
from mlebench.runs.regrade import regrade
from mlebench.runs.verify import verify


@pytest.fixture
def group(arena, submit):
    arena.run(arena.plan(arena.agent("tested", submit)))
    return arena.folder / "runs" / "group"


def test_the_new_verdict_is_recorded_beside_the_first(arena, group):
    (first,) = (run.verdict for run in arena.run(arena.plan(arena.agent("tested", "")), group="group").runs.values())
    (run,) = regrade(group, data_dir=arena.registry.get_data_dir()).runs
    assert run.verdict == first
    assert run.regrades[0].verdict.score == first.score
    assert read_record(group / run.run_id / RUN, RunRecord) == run
    told = []
    (again,) = regrade(group, data_dir=arena.registry.get_data_dir(), progress=told.append).runs
    assert told == [again]
    assert len(again.regrades) == 2
    assert again.attempt == 1
    assert verify(group) == []


def test_another_submission_than_the_graded_one_is_refused(arena, group):
    (group / "demo-wine_tested_seed-0" / "submission" / "submission.csv").write_text("id,quality\n")
    with pytest.raises(RunError, match="not the one that was graded"):
        regrade(group, data_dir=arena.registry.get_data_dir())


def test_a_submission_whose_grading_died_is_graded_again_if_it_is_the_sealed_one(arena, group):
    file = group / "demo-wine_tested_seed-0" / RUN
    run = read_record(file, RunRecord)
    died = run.verdict.model_copy(update={"outcome": Outcome.FAILED, "score": None, "submission_sha256": None})
    file.write_text(run.model_copy(update={"verdict": died}).as_file())
    (regraded,) = regrade(group, data_dir=arena.registry.get_data_dir()).runs
    assert regraded.regrades[0].verdict.outcome is Outcome.GRADED
    (group / run.run_id / "submission" / "submission.csv").write_text("id,quality\n")
    with pytest.raises(RunError, match="not the one that was graded"):
        regrade(group, data_dir=arena.registry.get_data_dir())


def test_missing_data_are_named(group, tmp_path):
    with pytest.raises(NotPreparedError, match="mlebench prepare"):
        regrade(group, data_dir=tmp_path / "empty")


def test_a_folder_that_is_not_a_group_is_refused(tmp_path):
    with pytest.raises(RunError, match="not a run group"):
        regrade(tmp_path)
