"""Running attackers as agents, and checking what must hold after every attack."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.agents.declaration import Agent, AgentDeclaration
from mlebench.runs.events import read_events
from mlebench.runs.group import run_group
from mlebench.runs.plan import Plan
from mlebench.runs.slots import Slots
from mlebench.runs.story import FLAGGED
from mlebench.runs.verify import verify
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import Limits, MiB
from mlebench.tasks.registry import Registry

if TYPE_CHECKING:
    from mlebench.runs.record import RunRecord

    from .host import Host

ATTACKERS = Path(__file__).with_name("attackers")


def attempts_in(script: str) -> set[str]:
    """Return the names of the attempts that an attacker's source defines."""
    return set(re.findall(r"^@attempt\ndef (\w+)", (ATTACKERS / f"{script}.py").read_text(), re.MULTILINE))


@dataclass(frozen=True)
class Attack:
    """The run of one attacker in one mode, after it has ended."""

    mode: str
    run: RunRecord
    attempts: dict[str, dict[str, Any]]
    """What the attacker printed about each of its attempts."""
    events: list[dict[str, Any]]
    folder: Path
    """The folder of the run's only attempt."""

    @property
    def log(self) -> str:
        return (self.folder / "run.log").read_text(errors="replace")

    @property
    def gained(self) -> dict[str, str]:
        """Attempts that succeeded, and what each gained."""
        return {name: one["detail"] for name, one in self.attempts.items() if one["gained"]}

    @property
    def untried(self) -> dict[str, str]:
        """Attempts that this machine or image does not allow, and the reasons. A test says which it accepts."""
        return {name: one["detail"] for name, one in self.attempts.items() if not one["tried"]}

    @property
    def flagged(self) -> list[dict[str, Any]]:
        return [event for event in self.events if event["kind"] in FLAGGED]

    def limits_met(self) -> set[str]:
        return {event["limit"] for event in self.events if event["kind"] == "limit"}

    def refusals(self) -> dict[str, str]:
        return {event["path"]: event["why"] for event in self.events if event["kind"] == "refused"}


class Attacker:
    """Runs attackers on a host, and checks the host afterwards."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.runs = host.folder / "runs"
        self._groups = 0

    def __call__(
        self,
        sandbox: str,
        script: str,
        *modes: str,
        arguments: tuple[str, ...] = (),
        obfuscated: bool = False,
        **limits: Any,
    ) -> dict[str, Attack]:
        """Run an attacker once in each of its modes, in one group, and check the host.

        Parameters
        ----------
        sandbox : str
            The name of a sandbox.
        script : str
            The name of a module in `attackers/`.
        *modes : str
            The first argument of each run; none for an attacker without modes.
        arguments : tuple of str
            The arguments after the mode.
        obfuscated : bool
            Whether the runs must not tell which competition it is.
        **limits
            Fields of `Limits` that differ from the defaults of these tests.

        Returns
        -------
        dict of str to Attack
            By mode; by script for an attacker without modes.
        """
        defaults = {"seconds": 60, "grace": 1, "cpus": 1, "memory": 512 * MiB, "processes": 128, "disk": 64 * MiB}
        bounds = Limits(**defaults | limits)
        agents = {mode: self._agent(sandbox, script, mode, arguments) for mode in modes or (script,)}
        competition = self.host.competition
        plan = Plan(
            {agent.id: agent for agent in agents.values()},
            {competition.label: competition},
            seeds=1,
            sandbox=sandbox,
            limits=bounds,
            obfuscated=obfuscated,
        )
        self._groups += 1
        folder = self.runs / f"group-{self._groups}"
        registry = Registry(competition.prepared_dir.parents[1])
        record = run_group(plan, folder, registry, slots=Slots(2), progress=NoProgress())
        by_agent = {run.agent: run for run in record.runs.values()}
        attacks = {mode: self._attack(folder, mode, by_agent[agent.id]) for mode, agent in agents.items()}
        for attack in attacks.values():
            assert attack.run.verdict is not None, attack.run
            assert attack.run.attempt == 1, "the agent made the harness fail"
            assert attack.run.ending is not None
            assert attack.run.ending.reason is not Reason.HARNESS, attack.run.ending
            assert attack.run.ending.seconds < bounds.seconds + bounds.grace + 60  # bounded, on any busy machine
        assert verify(folder) == []
        assert not list((self.runs / ".work").glob("*")), "an agent's working folder remains"
        assert not self.living_processes()
        assert not remains_of_this_process(sandbox)
        return attacks

    def once(self, sandbox: str, script: str, **limits: Any) -> Attack:
        """Run an attacker without modes, and check that it made all of its attempts."""
        attack = self(sandbox, script, **limits)[script]
        assert attack.attempts.keys() == attempts_in(script), attack.log
        return attack

    def living_processes(self) -> list[str]:
        """Return the commands of processes that have the data of these runs mounted."""
        # Paths in mountinfo begin at the root of their file system. The folders of a run may be on one of its own.
        place = "/".join((self.host.folder / "data").parts[-4:])
        found = []
        for entry in Path("/proc").iterdir():
            with suppress(OSError):
                if entry.name.isdigit() and place in (entry / "mountinfo").read_text():
                    found.append((entry / "cmdline").read_text().replace("\0", " "))
        return found

    def _agent(self, sandbox: str, script: str, mode: str, arguments: tuple[str, ...]) -> Agent:
        folder = self.host.folder / "agents" / mode
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("attempts.py", f"{script}.py"):
            shutil.copy(ATTACKERS / name, folder)
        (folder / "targets.json").write_text(json.dumps(self.host.targets))
        command = ("{python}", f"{script}.py", *(() if mode == script else (mode,)), *arguments)
        environment = {"HARMLESS_ONLY": "1"} if sandbox == "process" else {}
        name = mode.replace("_", "-")
        return Agent(AgentDeclaration(id=name, description="", command=command, environment=environment), folder)

    def _attack(self, group: Path, mode: str, run: RunRecord) -> Attack:
        folder = group / run.run_id / "attempts" / str(run.attempt)
        attempts = {}
        for line in (folder / "run.log").read_text(errors="replace").splitlines():
            if line.startswith('{"attempt"'):
                one = json.loads(line)
                attempts[one["attempt"]] = one
        return Attack(mode, run, attempts, list(read_events(folder / "events.jsonl")), folder)


def remains_of_this_process(sandbox: str) -> list[str]:
    """Return control groups, staged files and containers whose names contain the id of this process."""
    found = [str(path) for pattern in ("mlebench-*", "*/mlebench-*") for path in Path("/sys/fs/cgroup").glob(pattern)]
    found += [str(path) for path in Path(tempfile.gettempdir()).glob("mlebench-job-*")]
    if sandbox in ("docker", "podman"):
        command = [sandbox, "ps", "--all", "--format", "{{.Labels}}"]
        found += subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for name in found if f"-{os.getpid()}-" in name]


class NoProgress:
    """Ignores the progress of a group."""

    def started(self, run: RunRecord) -> None: ...

    def event(self, run: RunRecord, kind: str, /, **facts: object) -> None: ...

    def finished(self, run: RunRecord) -> None: ...
