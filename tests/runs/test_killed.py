"""A group whose harness was killed at any moment is completed by the same command."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from mlebench.errors import EngineError
from mlebench.runs.verify import verify
from mlebench.sandbox.container import TOKEN_LABEL
from mlebench.sandbox.engine import ENGINES, Engine

from ..waiting import wait_until

AGENT = """
import os, random, shutil, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"], start_new_session=True)
time.sleep(random.random())
shutil.copy(os.environ["DATA_DIR"] + "/sample_submission.csv", os.environ["SUBMISSION_DIR"] + "/submission.csv")
"""


@pytest.fixture
def command(arena):
    """A function that returns the command for a sandbox: four seeds of an agent that leaves a process behind."""
    folder = arena.folder / "agents" / "sleeper"
    folder.mkdir(parents=True)
    (folder / "agent.yaml").write_text("id: sleeper\ndescription: ''\ncommand: ['{python}', start.py]\n")
    (folder / "start.py").write_text(AGENT)
    return lambda sandbox: [
        *(sys.executable, "-m", "mlebench", "run", "--agent", str(folder), "-c", "demo-wine", "--seeds", "4"),
        *("--sandbox", sandbox, "--time-limit", "60s", "--memory", "1", "--parallel", "2", "--group", "killed"),
        *("--runs-dir", str(arena.folder / "runs"), "--data-dir", str(arena.registry.get_data_dir())),
    ]


def finish(command, arena):
    """Run the command once more without interruption, and check the results."""
    finished = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert finished.returncode == 0, finished.stderr
    assert no_process_works_in(arena.folder / "runs")
    runs = json.loads((arena.folder / "runs" / "killed" / "metadata.json").read_text())["runs"]
    assert len(runs) == 4
    for run in runs.values():
        assert run["status"] == "graded"
        assert run["verdict"]["score"] == arena.competition.declaration.sample_score
    report = json.loads((arena.folder / "runs" / "killed" / "report.json").read_text())
    assert report["agents"][0]["agent"] == "sleeper"
    assert verify(arena.folder / "runs" / "killed") == []


CONTAINERS = ["docker", "podman"]


@pytest.mark.parametrize("sandbox", ["bubblewrap", "process", *CONTAINERS])
def test_a_group_killed_at_random_moments_ends_in_the_same_table(arena, command, sandbox, request):
    engine = request.getfixturevalue(sandbox) if sandbox in ENGINES else None
    dice = random.Random(4)
    killed = []
    for _ in range(4):
        process = subprocess.Popen(command(sandbox), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.6 + 1.2 * dice.random())
        process.kill()
        process.wait()
        assert no_process_works_in(arena.folder / "runs")
        assert no_container_runs(engine, process.pid)
        killed.append(process.pid)
        group = arena.folder / "runs" / "killed"
        assert not (group / "metadata.json").exists() or verify(group) == []
    finish(command(sandbox), arena)
    assert not any(states_of_containers(engine, pid) for pid in killed)


def test_ctrl_c_stops_the_agents_and_keeps_what_is_done(arena, command):
    for seconds in (0.2, 0.4):
        process = subprocess.Popen(
            command("bubblewrap"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        assert process.stderr.readline().startswith("Group ")  # from here on it runs agents
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=120)
        assert process.returncode == 130, told
        assert "Repeat the command" in told
        assert "Traceback" not in told
        assert no_process_works_in(arena.folder / "runs")
    finish(command("bubblewrap"), arena)


def states_of_containers(engine: Engine | None, pid: int) -> list[str]:
    """Return the states of the containers that a harness started."""
    states = []
    for identity, token in (engine.list_containers(TOKEN_LABEL) if engine else {}).items():
        if token.split("-")[1] == str(pid):
            with suppress(EngineError):  # it went away meanwhile
                states.append(engine.call("inspect", "--format", "{{.State.Status}}", identity))
    return states


def no_container_runs(engine: Engine | None, pid: int) -> bool:
    """Wait until no container of a harness runs. The next command removes those that have exited."""
    return wait_until(lambda: not set(states_of_containers(engine, pid)) - {"exited"})


def no_process_works_in(folder: Path) -> bool:
    """Wait until no process has its working folder or an open file in a folder."""
    return wait_until(lambda: not any(works_in(process, folder) for process in psutil.process_iter()))


def works_in(process: psutil.Process, folder: Path) -> bool:
    if process.pid == os.getpid():
        return False
    try:
        places = [process.cwd(), *(file.path for file in process.open_files())]
    except (psutil.Error, OSError):
        return False
    return any(place.startswith(str(folder)) for place in places)
