"""The script `validate_submission.sh`, with which agents ask the submission check."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import pytest

from mlebench.agents.inside.mlebench_task import Task
from mlebench.gateway.check.quota import CheckLimits
from mlebench.sandbox.bubblewrap import BubblewrapSandbox
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.entrypoint import forwarding
from mlebench.sandbox.job import Job
from mlebench.sandbox.limits import Limits
from mlebench.sandbox.port_forward import PortForward
from mlebench.sandbox.process import ProcessSandbox
from mlebench.sandbox.stop import StopSignal

SCRIPT = Path(str(files("mlebench.gateway"))) / "tools/validate_submission.sh"


@pytest.fixture(params=["curl", "python3"])
def tool(request, tmp_path, require):
    """A PATH on which only one of the two ways to post a file can be found."""
    program = shutil.which("curl") if request.param == "curl" else sys.executable
    require("curl is not installed" if program is None else None)
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sed", "cat"):
        (folder / name).symlink_to(shutil.which(name))
    wrapper = folder / request.param
    wrapper.write_text(f'#!/bin/sh\nexec {program} "$@"\n')
    wrapper.chmod(0o755)
    return folder


class Relay:
    """What the forwarder is inside a sandbox: a TCP port that leads to a server's socket."""

    def __init__(self, server):
        self.listener = forwarding.listen(0, any_port=False)
        self.url = f"http://localhost:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, args=(str(server.socket_path),), daemon=True).start()

    def serve(self, path):
        with suppress(OSError):
            forwarding.serve(self.listener, path)

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


@pytest.fixture
def validate(server, tool):
    relay = Relay(server)

    def validate(*arguments, url=relay.url):
        return subprocess.run(
            ["/bin/sh", str(SCRIPT), *map(str, arguments)],
            env={"PATH": str(tool), "VALIDATE_URL": url, "http_proxy": "http://127.0.0.1:9"},
            capture_output=True,
            text=True,
            timeout=120,
        )

    yield validate
    relay.close()


@pytest.mark.slow("programs")
@pytest.mark.parametrize("name", ["submission.csv", 'odd ;,"\\ name.csv', "-x.csv"])
def test_the_script_prints_the_response(validate, tmp_path, name, checker):
    (tmp_path / name).write_bytes(b"\0id\r\n" * 1000)
    done = validate(tmp_path / name)
    assert (done.returncode, done.stdout) == (
        0,
        '{"result":"Submission is valid: 5000 \\u201cbytes\\u201d"}\n',
    )


@pytest.mark.slow("programs")
def test_the_script_prints_why_a_file_is_refused(validate, tmp_path):
    (tmp_path / "large.csv").write_bytes(bytes(3_000_000))
    done = validate(tmp_path / "large.csv")
    assert done.returncode == 0
    assert "too large" in done.stdout


@pytest.mark.slow("programs")
@pytest.mark.parametrize("limits", [CheckLimits(seconds=1.0)])
def test_the_script_prints_when_a_check_is_allowed_again(validate, tmp_path, checker):
    checker.seconds = 100.0
    (tmp_path / "large.csv").write_bytes(bytes(900_000))
    assert "valid" in validate(tmp_path / "large.csv").stdout
    done = validate(tmp_path / "large.csv")
    assert done.returncode == 0
    assert re.search(r"more than their 3 seconds a minute\. Check again in [\d,]+ seconds\.", done.stdout)
    assert len(checker.paths) == 1


@pytest.mark.parametrize("limits", [CheckLimits(seconds=1.0, share=10.0)])
def test_the_task_object_waits_until_a_check_is_allowed_again(server, checker, tmp_path, ship):
    checker.seconds = 5.0
    relay = Relay(server)
    (tmp_path / "instructions").touch()
    folders = ("DATA", "SUBMISSION", "CODE", "LOGS", "AGENT")
    environment = {f"{name}_DIR": str(tmp_path) for name in folders} | {"INSTRUCTIONS": str(tmp_path / "instructions")}
    (tmp_path / "submission.csv").write_text("x")
    task = Task.from_environment(environment | {"TIME_LIMIT_SECS": "600", "VALIDATE_URL": relay.url})
    assert [task.validate() for _ in range(2)] == ["Submission is valid: 1 “bytes”"] * 2
    task = Task.from_environment(environment | {"TIME_LIMIT_SECS": "0", "VALIDATE_URL": relay.url})
    assert "Check again in 1 second." in task.validate()
    relay.close()


@pytest.mark.slow("programs")
def test_the_script_fails_without_a_file_or_a_server(validate, tmp_path):
    assert validate(tmp_path / "missing.csv").returncode == 1
    (tmp_path / "a.csv").touch()
    assert validate(tmp_path / "a.csv", url="http://localhost:1").returncode == 1
    done = validate()
    assert done.returncode == 1
    assert "Usage" in done.stderr


@pytest.mark.slow("programs")
@pytest.mark.parametrize("sandbox", [BubblewrapSandbox(), ProcessSandbox()], ids=lambda sandbox: sandbox.name)
def test_the_script_runs_in_a_sandbox(server, tmp_path, sandbox, require):
    require(sandbox.probe())
    for name in ("data", "home"):
        (tmp_path / name).mkdir()
    (tmp_path / "brief").touch()
    job = Job(
        name="check",
        command=("sh", "-c", 'echo x > s.csv; "$TOOLS_DIR"/validate_submission.sh s.csv'),
        data=tmp_path / "data",
        instructions=tmp_path / "brief",
        home=tmp_path / "home",
        log=tmp_path / "log",
        tools=SCRIPT.parent,
        port_forwards=(PortForward(5000, server.socket_path, {"VALIDATE_URL": ""}),),
    )
    ending = sandbox.run(job, Limits(seconds=120), stop=StopSignal(), events=lambda *_, **__: None)
    assert ending.reason is Reason.FINISHED
    assert '{"result":"Submission is valid: 2 ' in job.log.read_text()
