from __future__ import annotations

import json

import pytest

from mlebench.errors import MLEBenchError

from ..analysis.files import write_artifacts
from ..analysis.records import make_group, make_run, make_verdict

RUN = "a_aide_seed-0"


@pytest.fixture
def run_folder(tmp_path):
    """The folder of a run with three events, one of which is a refusal."""
    run = make_run("a", verdict=make_verdict("a", 0.99))
    (tmp_path / "runs").mkdir()
    write_artifacts(tmp_path / "runs" / "group", make_group(run))
    folder = tmp_path / "runs" / "group" / RUN
    (folder / "run.json").write_text(run.as_file())
    return folder


def test_each_event_is_a_line_with_its_second(invoke, run_folder):
    lines = invoke("log", run_folder).stdout.splitlines()
    assert len(lines) == 3
    assert all(line.split()[1] == "s" for line in lines)


def test_flagged_events_are_those_that_a_reader_must_see(invoke, run_folder):
    events = json.loads(invoke("log", f"group/{RUN}", "--flagged", "--json").stdout)
    assert "refused" in {event["kind"] for event in events}
    assert "run" not in {event["kind"] for event in events}


def test_hostile_text_cannot_control_the_terminal(invoke, run_folder):
    assert not set(invoke("log", run_folder).stdout) & {"\x1b", "\u202e"}


@pytest.mark.parametrize(("args", "words"), [(["--attempt", "7"], "attempt"), (["--runs-dir", "nowhere"], "nowhere")])
def test_what_does_not_exist_is_an_error(invoke, run_folder, args, words):
    error = invoke("log", f"group/{RUN}", *args).exception
    assert isinstance(error, MLEBenchError)
    assert words in str(error)
