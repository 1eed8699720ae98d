"""Why a container ended without a report, as far as an engine tells; a script is the engine's client here."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest

from mlebench.sandbox import container_processes
from mlebench.sandbox.container_processes import ContainerProcesses
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.engine import Engine

RUNNING, EXITED, KILLED = '{"Status": "running"}', '{"Status": "exited"}', '{"Status": "exited", "OOMKilled": true}'
CLIENT = """#!/bin/sh
echo >> {calls}
line=$(sed -n "$(wc -l < {calls})p" {answers})
[ -n "$line" ] && echo "$line"
"""


@pytest.mark.slow("programs")
@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([EXITED, EXITED], Reason.CRASHED),
        ([RUNNING, EXITED, EXITED], Reason.HARNESS),  # the engine had time until its first answer
        ([KILLED, KILLED], Reason.MEMORY),
        ([EXITED], Reason.HARNESS),  # then it is removed
        ([], Reason.HARNESS),
    ],
)
def test_an_engine_that_answers_late_has_not_lost_the_container(tmp_path, monkeypatch, answers, reason):
    (tmp_path / "calls").touch()
    (tmp_path / "answers").write_text("".join(f"{line}\n" for line in answers))
    client = tmp_path / "docker"
    client.write_text(CLIENT.format(calls=tmp_path / "calls", answers=tmp_path / "answers"))
    client.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(container_processes, "_END_SECONDS", 0.0)
    processes = ContainerProcesses(Engine("docker"), "job", SimpleNamespace())
    assert processes.explain_end().reason is reason
