"""An engine that does not answer is reported with the way out."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import mlebench
from mlebench.errors import EngineError, UnknownNameError
from mlebench.sandbox.container import ContainerSandbox
from mlebench.sandbox.engine import Engine, open_engine


@pytest.mark.slow("programs")
def test_a_user_who_may_not_talk_to_the_engine_gets_a_message(is_short_message):
    if os.geteuid() != 0:
        pytest.skip("needs root to become somebody who may not")
    script = "from mlebench.sandbox.container import ContainerSandbox; print(ContainerSandbox('docker').probe())"
    done = subprocess.run(
        ["setpriv", "--reuid", "23456", "--regid", "23456", "--clear-groups", "/usr/bin/python3", "-c", script],
        env={"PYTHONPATH": str(Path(mlebench.__file__).parents[1]), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd="/",
    )
    if done.returncode:
        pytest.skip("the clone lies where only root can read")
    assert "No docker engine answers" in done.stdout


def test_a_missing_client_is_reported_with_the_command_that_installs_it(monkeypatch, tmp_path, is_short_message):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match="apt-get install podman"):
        Engine("podman").call("version")
    assert is_short_message(Engine("podman").probe())
    assert "apt-get install docker.io" in ContainerSandbox("docker").probe()


def test_engines_are_opened_by_name(monkeypatch, tmp_path):
    with pytest.raises(UnknownNameError, match="docker"):
        open_engine("doker")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match=r"apt-get install docker\.io"):
        open_engine("docker")
