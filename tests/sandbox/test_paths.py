"""Jobs learn from environment variables where their files are."""

from __future__ import annotations

from pathlib import Path, PurePath

import pytest

from mlebench.sandbox.limits import Limits
from mlebench.sandbox.paths import JobPaths
from mlebench.sandbox.port_forward import PortForward


@pytest.mark.parametrize(("cpus", "threads"), [(None, None), (0.5, "1"), (2, "2"), (2.1, "3")])
def test_libraries_start_as_many_threads_as_there_are_whole_cores(bench, cpus, threads):
    environment = JobPaths().environment(bench.job(("true",)), Limits(cpus=cpus))
    assert environment.get("OMP_NUM_THREADS") == threads
    assert environment.get("MKL_NUM_THREADS") == threads


def test_the_environment_holds_nothing_of_the_harness(bench, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    environment = JobPaths().environment(bench.job(("true",)), Limits(seconds=90.9))
    assert "OPENAI_API_KEY" not in environment
    assert environment["HOME"] == "/home/agent"
    assert environment["SUBMISSION_DIR"] == "/home/submission"
    assert environment["TIME_LIMIT_SECS"] == "90"


def test_the_variables_of_a_job_replace_those_of_its_forwards(bench):
    forward = PortForward(4000, Path("/s"), {"OPENAI_BASE_URL": "/v1", "LANG": ""})
    job = bench.job(("true",), port_forwards=(forward,), environment={"LANG": "C"})
    environment = JobPaths().environment(job, Limits())
    assert environment["OPENAI_BASE_URL"] == "http://localhost:4000/v1"
    assert environment["LANG"] == "C"


def test_what_a_sandbox_does_not_have_is_not_set(bench):
    environment = JobPaths(tools=None, search_path=None).environment(bench.job(("true",)), Limits())
    assert not {"TOOLS_DIR", "PATH"} & set(environment)


def test_an_interpreter_of_the_job_comes_first_in_its_path():
    paths = JobPaths().with_python(Path("/venv/bin/python"))
    assert paths.python == PurePath("/venv/bin/python")
    assert paths.search_path.split(":")[0] == "/venv/bin"
    assert JobPaths().with_python(None) == JobPaths()
