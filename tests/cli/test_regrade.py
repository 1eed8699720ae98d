from __future__ import annotations

import json

import pytest

from mlebench.errors import RunError
from mlebench.runs.record import Status

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
