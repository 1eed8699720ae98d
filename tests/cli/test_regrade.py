from __future__ import annotations

import json
import shlex
import shutil

import pytest

from mlebench.errors import RunError
from mlebench.grading.judge import judge
from mlebench.runs.record import Status
from mlebench.tasks.registry import Registry

from ..analysis.records import make_group, make_run


@pytest.fixture
def group(tmp_path):
    """A group without a graded run."""
    folder = tmp_path / "runs" / "group"
    folder.mkdir(parents=True)
    (folder / "metadata.json").write_text(make_group(make_run(status=Status.PLANNED)).as_file())
    return folder


def test_a_group_without_graded_runs_has_nothing_to_grade_again(invoke, group):
    done = invoke("regrade", "group", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == []
    assert invoke("regrade", group).stdout == ""


@pytest.mark.parametrize("place", ["nothing", "."])
def test_what_is_no_group_is_an_error(invoke, place):
    assert isinstance(invoke("regrade", place).exception, RunError)


@pytest.mark.slow("programs")
def test_a_group_on_rehearsal_data_names_the_command_that_prepares_another_version(mlebench, tmp_path):
    data = tmp_path / "da ta" / "rehearsal"
    assert mlebench("prepare", "-c", "spaceship-titanic", "--rehearsal", "--data-dir", data).returncode == 0
    competition = Registry(data).get_competition("spaceship-titanic")
    run = make_run(verdict=judge(competition.sample_submission, competition))
    place = tmp_path / "runs" / "group" / run.run_id / "attempts" / "1" / "submission"
    place.mkdir(parents=True)
    shutil.copyfile(competition.sample_submission, place / "submission.csv")
    (place.parents[2] / "run.json").write_text(run.as_file())
    (place.parent / "events.jsonl").touch()
    (tmp_path / "runs" / "group" / "metadata.json").write_text(make_group(run).as_file())
    again = ("regrade", "group", "--task-version", "v2", "--data-dir", data.parent)
    refused = mlebench(*again)
    assert refused.returncode == 1
    command = shlex.split(refused.stderr.rpartition("run: ")[2])
    assert command == ["mlebench", "prepare", "-c", "spaceship-titanic@v2", "--rehearsal", "--data-dir", str(data)]
    assert mlebench(*command[1:]).returncode == 0
    done = mlebench(*again)
    assert done.returncode == 0, done.stderr
    assert f"{run.run_id}: invalid, no score, was graded" in done.stdout  # v2 has other test rows
