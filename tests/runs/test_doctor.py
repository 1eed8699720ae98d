"""The doctor says what works on this machine, and what to do about the rest."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import mlebench
from mlebench.sandbox import get_sandbox, sandbox_names

pytestmark = pytest.mark.slow("programs")


@pytest.mark.slow("programs")
def test_everything_is_checked_once(tmp_path):
    checks = {check.name: check for check in mlebench.doctor(tmp_path).checks}
    assert checks.keys() >= {"python", *sandbox_names(), "memory", "disk", "gpu", "kaggle"}
    assert checks["python"].works and checks["process"].works and checks["disk"].works
    assert not checks["process"].needed
    assert checks["process"].facts.endswith(f" limits memory ({get_sandbox('process').enforcement})")
    assert str(tmp_path) in checks["disk"].facts


@pytest.mark.slow("programs")
def test_a_folder_that_cannot_be_written_is_a_failed_check_with_a_remedy(tmp_path):
    (tmp_path / "file").touch()
    diagnosis = mlebench.doctor(tmp_path / "file" / "data")
    (disk,) = (check for check in diagnosis.checks if check.name == "disk")
    assert (disk.works, disk.needed) == (False, True)
    assert "--data-dir" in disk.remedy
    assert not diagnosis.is_healthy


@pytest.mark.slow("programs")
def test_one_sandbox_with_isolation_is_enough(monkeypatch):
    def needed():
        return [check.name for check in mlebench.doctor().checks if check.needed and check.name in sandbox_names()]

    for name in ("bubblewrap", "docker", "podman"):
        monkeypatch.setattr(type(get_sandbox(name)), "probe", lambda _: "It is not installed.")
    assert needed() == ["bubblewrap"]
    monkeypatch.setattr(type(get_sandbox("podman")), "probe", lambda _: None)
    assert needed() == []


def test_the_command_prints_the_checks_as_json(tmp_path):
    (tmp_path / "file").touch()
    argv = [sys.executable, "-m", "mlebench", "doctor", "--json", "--data-dir", str(tmp_path / "file")]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=120)
    printed = json.loads(done.stdout)
    assert (done.returncode, printed["healthy"]) == (3, False)
    assert set(printed["findings"][0]) == {"name", "works", "needed", "facts", "remedy"}
