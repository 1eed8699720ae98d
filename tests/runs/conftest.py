"""Small groups of runs, with agents whose code the test contains."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from mlebench.agents.declaration import Agent, AgentDeclaration
from mlebench.runs.group import run_group
from mlebench.runs.launch import resume
from mlebench.runs.plan import Plan
from mlebench.runs.regrade import regrade
from mlebench.runs.slots import Slots
from mlebench.sandbox import get_sandbox
from mlebench.sandbox.limits import Limits, MiB
from mlebench.tasks.registry import Registry

from ..conftest import shared_folder
from ..waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.runs.record import GroupRecord, RunRecord
    from mlebench.tasks.competition import Competition

SUBMIT = """
import os, shutil
shutil.copy(os.environ["DATA_DIR"] + "/sample_submission.csv", os.environ["SUBMISSION_DIR"] + "/submission.csv")
"""
"""Python code of an agent that submits the sample submission."""

TWICE = """
import os, time
source = open(os.environ["DATA_DIR"] + "/sample_submission.csv").read()
target = "/home/submission/submission.csv"
def put(text):
    open(target + ".new", "w").write(text); os.rename(target + ".new", target)
put("not,yet"); time.sleep(4)
put(source); time.sleep(4)
"""
"""Python code of an agent that submits something invalid, and later the sample submission."""


class Recorder:
    """Keeps the progress that a group reports."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.events: list[tuple[str, str]] = []

    def started(self, run: RunRecord) -> None:
        self.begun.append(run.run_id)

    def event(self, run: RunRecord, kind: str, /, **facts: object) -> None:
        self.events.append((run.run_id, kind))

    def finished(self, run: RunRecord) -> None:
        self.ended.append(run.run_id)


class Arena:
    """Runs groups of agents on one prepared competition."""

    def __init__(self, folder: Path, competition: Competition) -> None:
        self.folder = folder
        self.competition = competition
        self.registry = Registry(competition.prepared_dir.parents[1])
        self.progress = Recorder()

    def agent(self, name: str, code: str) -> Agent:
        folder = self.folder / "agents" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "start.py").write_text(code)
        return Agent(AgentDeclaration(id=name, description="", command=("{python}", "start.py")), folder)

    def plan(self, *agents: Agent, seeds: int = 1, sandbox: str = "bubblewrap", limits: Limits | None = None) -> Plan:
        limits = limits or Limits(seconds=600, grace=1, cpus=1, memory=512 * MiB, disk=64 * MiB)
        return Plan(
            {agent.id: agent for agent in agents}, {self.competition.label: self.competition}, seeds, sandbox, limits
        )

    def run(self, plan: Plan, group: str = "group", parallel: int = 2) -> GroupRecord:
        folder = self.folder / "runs" / group
        return run_group(plan, folder, self.registry, slots=Slots(parallel), progress=self.progress)

    def run_one(self, code: str, **more: object) -> RunRecord:
        (run,) = self.run(self.plan(self.agent("tested", code), **more)).runs.values()  # type: ignore[arg-type]
        return run


@pytest.fixture
def arena(tmp_path: Path, prepared: Callable[[str], Competition], require: Callable[[str | None], None]) -> Arena:
    require(get_sandbox("bubblewrap").probe())
    return Arena(tmp_path, prepared("demo-wine"))


@pytest.fixture(scope="session")
def finished(
    tmp_path_factory: pytest.TempPathFactory,
    prepared: Callable[[str], Competition],
    require: Callable[[str | None], None],
) -> Path:
    """A finished group that all tests share: 2 agents x 2 tasks x 2 seeds, killed once, and graded again.

    The first attempt at each run of `demo-wine` with seed 0 is interrupted. Copy the group to change it.
    """
    require(get_sandbox("bubblewrap").probe())
    top = shared_folder(tmp_path_factory, "finished")
    group = top / "runs" / "group"
    with (top / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another worker may be making it
        if not (top / "done").exists():
            _finish(top, group, prepared("demo-wine"), prepared("demo-diabetes"))
            (top / "done").touch()
    return group


def _finish(top: Path, group: Path, *competitions: Competition) -> None:
    data = competitions[0].prepared_dir.parents[1]
    command = [sys.executable, "-m", "mlebench", "run", "--seeds", "2", "--sandbox", "bubblewrap", "--parallel", "2"]
    command += ["--time-limit", "60s", "--memory", "1", "--group", group.name, "--runs-dir", str(group.parent)]
    command += ["--data-dir", str(data)]
    wait = "import time; time.sleep(50)\n"
    for name, code in (
        ("good", SUBMIT + "open('/home/code/mine.py', 'w').write('pass')"),
        ("idle", "print('nothing')"),
    ):
        folder = top / "agents" / name
        folder.mkdir(parents=True)
        (folder / "agent.yaml").write_text(f"id: {name}\ndescription: ''\ncommand: ['{{python}}', start.py]\n")
        (folder / "start.py").write_text(wait + code)
        command += ["--agent", str(folder)]
    for competition in competitions:
        command += ["-c", competition.label]

    def has_started() -> bool:
        return sum('"started"' in log.read_text() for log in group.glob("*/attempts/1/events.jsonl")) == 2

    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        assert wait_until(has_started)
        process.kill()
    for name in ("good", "idle"):
        (top / "agents" / name / "start.py").write_text((top / "agents" / name / "start.py").read_text()[len(wait) :])
    resume(group)
    regrade(group, data_dir=data)


@pytest.fixture
def submit() -> str:
    return SUBMIT


@pytest.fixture
def twice() -> str:
    return TWICE
