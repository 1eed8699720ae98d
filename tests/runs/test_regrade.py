"""Grading again keeps the first verdict, and never runs an agent."""

import pytest

import mlebench
from mlebench.errors import NotPreparedError, RunError, UsageError
from mlebench.grading.reports import Outcome
from mlebench.runs.layout import RUN
from mlebench.runs.reader import read_record
from mlebench.runs.record import RunRecord
from mlebench.runs.regrade import regrade
from mlebench.runs.story import log, story
from mlebench.runs.verify import verify
from mlebench.sandbox import get_sandbox


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


@pytest.fixture
def mixed(tmp_path, prepared, require):
    """A group of one task with a v2 and one without, and its data."""
    require(get_sandbox("bubblewrap").probe())
    data = prepared("nomad2018-predict-transparent-conductors").prepared_dir.parents[1]
    prepared("demo-wine")
    group = mlebench.run(
        "dummy",
        ["nomad2018-predict-transparent-conductors", "demo-wine"],
        sandbox="bubblewrap",
        runs_dir=tmp_path / "runs",
        data_dir=data,
        time_limit=60,
        memory=1,
        group="mixed",
    )
    return group.folder, data


@pytest.mark.slow("runs")
def test_rules_of_another_version_grade_on_the_data_that_ran(mixed):
    group, data = mixed
    runs = {run.competition_id: run for run in regrade(group, rules="v2", data_dir=data).runs}
    assert runs["demo-wine"].regrades == ()
    run = runs["nomad2018-predict-transparent-conductors"]
    verdict = run.regrades[-1].verdict
    assert (verdict.version, verdict.data_version, verdict.outcome) == ("v2", "v1", Outcome.GRADED)
    assert verdict.score == pytest.approx(run.verdict.score, abs=1e-5)
    assert verify(group) == []
    assert "on the data of v1" in str(list(story(log(group / run.run_id))))


@pytest.mark.slow("runs")
def test_another_version_is_graded_on_its_own_data(mixed, prepared):
    group, data = mixed
    prepared("nomad2018-predict-transparent-conductors@v2")
    runs = {run.competition_id: run for run in regrade(group, version="v2", data_dir=data).runs}
    verdict = runs["nomad2018-predict-transparent-conductors"].regrades[-1].verdict
    assert (verdict.version, verdict.data_version) == ("v2", None)
    assert "data_version" not in verdict.model_dump()


def test_rules_and_version_exclude_each_other(group):
    with pytest.raises(UsageError, match="not both"):
        regrade(group, version="v2", rules="v2")
