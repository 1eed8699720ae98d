"""The sandbox without protection shows a job its files at their real paths."""

from __future__ import annotations

import resource
import sys
from pathlib import Path, PurePath

import pytest

from mlebench.sandbox import process
from mlebench.sandbox.limits import Limits
from mlebench.sandbox.process import ProcessSandbox


def test_links_are_resolved_since_the_job_runs_in_another_folder(bench, tmp_path, monkeypatch):
    (tmp_path / "link").symlink_to(tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    bench.data = Path("link")
    paths = ProcessSandbox().paths(bench.job(("true",)))
    assert paths.data == (tmp_path / "data").resolve()
    assert paths.tools is None


@pytest.mark.parametrize(
    ("python", "expected"), [(None, sys.executable), (Path("/venv/bin/python"), "/venv/bin/python")]
)
def test_a_job_may_bring_its_interpreter(bench, python, expected):
    assert ProcessSandbox().paths(bench.job(("true",), python=python)).python == PurePath(expected)


@pytest.mark.parametrize(
    ("processes", "hard", "names"),
    [(None, resource.RLIM_INFINITY, set()), (10, resource.RLIM_INFINITY, {"RLIMIT_NPROC"}), (10, 1, set())],
)
def test_a_limit_on_processes_is_never_raised_above_the_hard_one(monkeypatch, processes, hard, names):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (hard, hard))
    assert set(process._process_limit(Limits(processes=processes))) == names
