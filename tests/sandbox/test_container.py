"""Containers: their labels, their images, how they are watched and removed."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox.container import TOKEN_LABEL, ContainerSandbox
from mlebench.sandbox.container_processes import remove_container
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.orphans import kill_orphans
from mlebench.sandbox.stop import StopSignal
from mlebench.sandbox.tokens import new_token

from ..waiting import wait_until
from .conftest import CONTAINERS


@pytest.fixture(params=CONTAINERS)
def container(request):
    return ContainerSandbox(request.getfixturevalue(request.param).name)


def containers_of(engine, token):
    """Return the containers of the jobs of one harness; the argument is the start of their tokens."""
    return [identity for identity, value in engine.list_containers(TOKEN_LABEL).items() if value.startswith(token)]


def list_own(engine):
    return containers_of(engine, new_token().rpartition("-")[0])


def while_it_runs(bench, sandbox, act, command="echo up; sleep 1000", *, ends=False, **more):
    """Start a job, call `act` when it has printed something, and return the results of both.

    The job is then stopped, or ends by itself because of what `act` did.
    """
    stop, results = StopSignal(), []
    thread = threading.Thread(target=lambda: results.append(bench(sandbox, "sh", "-c", command, stop=stop, **more)))
    log = bench.folder / f"run-{bench.number + 1}" / "job.log"
    thread.start()
    try:
        assert wait_until(lambda: log.exists() and log.read_text())
        found = act()
        if ends:
            thread.join(120)
    finally:
        stop.request(Reason.STOPPED)
        thread.join()
    return results[0], found


def test_the_engine_learns_nothing_about_the_run(bench, container):
    _, facts = while_it_runs(
        bench,
        container,
        lambda: json.loads(container.engine.call("inspect", *list_own(container.engine)))[0],
        environment={"COMPETITION_ID": "secret-competition"},
    )
    assert "secret-competition" not in json.dumps(facts)
    assert facts["Name"].strip("/").startswith("mlebench-")
    assert facts["Config"]["Hostname"] == "sandbox"
    assert facts["HostConfig"]["NetworkMode"] == "none"
    assert facts["HostConfig"]["ReadonlyRootfs"] is True


def test_nothing_is_left_behind(bench, container):
    bench(container, "true")
    while_it_runs(bench, container, lambda: None)
    assert list_own(container.engine) == []
    assert not list(Path("/tmp").glob(f"mlebench-job-{new_token().rpartition('-')[0]}*"))


def test_the_image_is_recorded(bench, container):
    result = bench(container, "true")
    (started,) = result.events.of("started")
    assert started["image"] == container.find_image("mlebench/base:minimal")
    assert started["enforcement"].startswith("cgroup v")


def test_a_missing_image_is_reported_with_the_command_that_builds_it(bench, container, is_short_message):
    with pytest.raises(SandboxUnavailableError, match="mlebench image build") as refusal:
        bench(ContainerSandbox(container.name, image="mlebench/base:no-such"), "true")
    assert is_short_message(str(refusal.value))


def test_a_container_that_somebody_removes_is_a_failure_of_the_harness(bench, container):
    result, _ = while_it_runs(
        bench, container, lambda: remove_container(container.engine, *list_own(container.engine)), ends=True
    )
    assert result.ending.reason is Reason.HARNESS
    assert "somebody removed it" in result.ending.detail
    assert list_own(container.engine) == []


def test_a_container_whose_first_process_is_killed_is_a_crash(bench, container):
    """A job that does this must not get another attempt."""
    result, _ = while_it_runs(
        bench, container, lambda: container.engine.call("kill", *list_own(container.engine)), ends=True
    )
    assert (result.ending.reason, result.ending.exit_code) == (Reason.CRASHED, None)


def test_process_1_cannot_be_tampered_with(bench, container):
    script = """
for signal in $(seq 1 64); do [ $signal = 15 ] || kill -$signal 1; done 2> /dev/null  # 15 ends the job
cat /proc/1/environ /proc/1/mem /proc/1/maps 2>&1 | grep -c denied
ls /proc/1/fd 2>&1 | grep -c denied
python3 - <<'END'
import socket
server = socket.socket(socket.AF_UNIX)
try:
    server.connect("/run/harness/control.sock")
    print("connected")
except OSError as error:
    print(type(error).__name__)
END
exit 3
"""
    result = bench(container, "sh", "-c", script)
    assert result.log.split()[-3:] == ["3", "1", "ConnectionRefusedError"], (result.log, result.ending)
    assert (result.ending.reason, result.ending.exit_code) == (Reason.CRASHED, 3)


def test_sigterm_to_process_1_reaches_the_job(bench, container):
    script = "trap 'echo got it; exit 5' TERM; echo up; while :; do sleep 0.05; done"
    result, _ = while_it_runs(
        bench,
        container,
        lambda: container.engine.call("kill", "--signal", "TERM", *list_own(container.engine)),
        command=script,
        ends=True,
    )
    assert "got it" in result.log


def test_containers_of_a_dead_harness_are_removed(container):
    owner = subprocess.Popen([sys.executable, "-c", "pass"])
    owner.wait()
    token = "-".join([new_token().split("-")[0], str(owner.pid), "1", "abc"])
    image = container.find_image("mlebench/base:minimal")
    container.engine.call("create", "--label", f"{TOKEN_LABEL}={token}", "--network", "none", image, "sleep", "60")
    kill_orphans()
    # Another harness may be quicker, and still about to remove it.
    assert wait_until(lambda: not containers_of(container.engine, token))


def test_names_of_folders_may_contain_commas(bench, container):
    bench.folder = bench.folder / 'a,b "c"'
    bench.folder.mkdir()
    assert bench(container, "touch", "/home/submission/x").ending.reason is Reason.FINISHED
