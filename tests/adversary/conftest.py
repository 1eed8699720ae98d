"""The adversary suite: hostile agents as real runs, from the prepared competition to the verified record.

An attacker is a script in `attackers/`. It tells of each attempt whether it gained anything; the tests believe
that only together with what they see from outside: servers that nobody reached, files that nobody changed, no
process left, the right verdict, a record that verifies, and the events that show what was tried. The same
attackers do gain in the sandbox `process` (`test_canary.py`), or these tests would prove nothing. To test another
sandbox, add its name to `SANDBOXES`.

What is covered: finding answers, keys, other runs and the harness itself (by path, by content, through /proc);
breaking out through the kernel's documented doors; the network; another run at the same time; whatever may lie in
place of a submission; exhausting processes, memory, disk, files and log; not ending; deceiving the record; abusing
the submission check.

What is not: faults of the kernel or the engine; side channels of time, caches and power; what two runs that work
for each other can do with the data that both read (load, locks and times of access are signals); files that are
deleted and held only by a message under way in a Unix socket, which no measuring finds; without root's rights,
files that are deleted, not open, and mapped in part; without control groups, what the kernel itself holds for a
job in pipes and sockets; an agent that knows answers from elsewhere. The model gateway has hostile tests of its
own, in `tests/gateway`.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mlebench.agents.declaration import Agent, AgentDeclaration
from mlebench.runs.events import read_events
from mlebench.runs.group import run_group
from mlebench.runs.plan import Plan
from mlebench.runs.slots import Slots
from mlebench.runs.story import FLAGGED
from mlebench.runs.verify import verify
from mlebench.sandbox import get_sandbox
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.kernel.cgroup import ControlGroup
from mlebench.sandbox.limits import Limits, MiB
from mlebench.tasks.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mlebench.runs.record import RunRecord
    from mlebench.tasks.competition import Competition

ATTACKERS = Path(__file__).with_name("attackers")
SLOW_START = pytest.mark.timeout(600)
"""The first test that wants a container engine waits until its image is made."""
SANDBOXES = ["bubblewrap", pytest.param("docker", marks=SLOW_START), pytest.param("podman", marks=SLOW_START)]


@pytest.fixture(params=SANDBOXES)
def isolating(request: pytest.FixtureRequest, require: Callable[[str | None], None]) -> str:
    """The name of each sandbox that isolates, in turn."""
    name: str = request.param
    if name == "bubblewrap":
        require(get_sandbox(name).probe())
    else:
        request.getfixturevalue(name)
    return name


@pytest.fixture(params=[*SANDBOXES, "bubblewrap-polling"])
def enforced(request: pytest.FixtureRequest, require: Callable[[str | None], None]) -> str:
    """The same, once more as where no control groups can be made, so that the harness has to measure by itself."""
    name: str = request.param
    if name in ("docker", "podman"):
        request.getfixturevalue(name)
        return name
    require(get_sandbox("bubblewrap").probe())
    if name == "bubblewrap-polling":
        patch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
        patch.setattr(ControlGroup, "create", lambda *_: None)
    return "bubblewrap"


def attempts_in(script: str) -> set[str]:
    """Return the names of the attempts that an attacker's source declares."""
    return set(re.findall(r"^@attempt\ndef (\w+)", (ATTACKERS / f"{script}.py").read_text(), re.MULTILINE))


def new_canary() -> str:
    """Return a word that attackers look for; see `attackers/attempts.py`."""
    return f"canary-of-the-test-{secrets.token_hex(8)}"


@dataclass
class Host:
    """What lies and runs on the host for attackers to find."""

    folder: Path
    competition: Competition
    targets: dict[str, Any]
    calls: list[str]
    """Who was reached: the names of servers."""
    untouched: dict[Path, bytes]

    def is_unharmed(self) -> bool:
        return not self.calls and all(path.read_bytes() == content for path, content in self.untouched.items())


@pytest.fixture
def host(tmp_path: Path, prepared: Callable[[str], Competition], monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A host with answers, keys, another run, and servers."""
    ready = prepared("demo-wine")
    data = tmp_path / "data"
    shutil.copytree(ready.prepared_dir, data / ready.prepared_dir.relative_to(ready.prepared_dir.parents[1]))
    competition = Registry(data).get_competition("demo-wine")
    other_run = tmp_path / "runs/other/demo-wine_other_seed-0/attempts/1"
    secret_files = [
        competition.private_dir / "canary.txt",
        tmp_path / "home/.ssh/id_ed25519",
        tmp_path / "home/.kaggle/kaggle.json",
        other_run / "submission/submission.csv",
        other_run / "run.log",
    ]
    for path in secret_files:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(new_canary() + "\n")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OPENAI_API_KEY", new_canary())
    answers = [path for path in competition.private_dir.iterdir() if path.suffix == ".csv"]
    given = [path for path in competition.public_dir.rglob("*") if path.is_file()]
    calls: list[str] = []
    with servers(tmp_path, calls) as addresses, process_with_a_key() as holder:
        targets = {
            "answers": [str(path) for path in answers],
            "secrets": [str(path) for path in secret_files],
            # Not the project's own folder: it is there for the interpreter, if that lies in a `.venv` in it.
            "folders": [
                *(str(path) for path in (data, tmp_path / "runs", tmp_path / "home")),
                *(str(Path(__file__).parents[2] / name) for name in ("src", "tests", ".git")),
            ],
            "processes": [os.getpid(), holder],
            "python": [sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1])],
            "names": ["demo-wine_", "seeker_"],
            "meeting": f"word-of-the-test-{secrets.token_hex(8)}",
            "meeting_port": free_port(),
            **addresses,
        }
        untouched = {path: path.read_bytes() for path in [*secret_files, *answers, *given]}
        yield Host(tmp_path, competition, targets, calls, untouched)


@contextmanager
def process_with_a_key() -> Iterator[int]:
    """Run a process that was started with a key, as a harness may be; what is set later shows nowhere."""
    with subprocess.Popen(["sleep", "600"], env={"PATH": os.environ["PATH"], "MODEL_KEY": new_canary()}) as process:
        try:
            yield process.pid
        finally:
            process.kill()


@contextmanager
def servers(folder: Path, calls: list[str]) -> Iterator[dict[str, Any]]:
    """Run a server of each kind; whoever reaches one is noted in `calls`."""

    def answering(name: str) -> type[socketserver.BaseRequestHandler]:
        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                calls.append(name)
                if isinstance(self.request, tuple):
                    self.request[1].sendto(b"here", self.client_address)
                else:
                    self.request.recv(100)  # who closes before the other has spoken, may break what he said
                    self.request.sendall(b"here")

        return Handler

    class TCP6(socketserver.TCPServer):
        address_family = socket.AF_INET6

    unix, abstract = str(folder / "s"), f"of-the-test-{secrets.token_hex(4)}"
    with ExitStack() as stack:

        def serve(name: str, kind: type[socketserver.BaseServer], address: Any) -> Any:
            server = stack.enter_context(kind(address, answering(name)))
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            stack.callback(server.shutdown)
            return server.server_address

        tcp6 = None
        with suppress(OSError):
            tcp6 = serve("tcp6", TCP6, ("::1", 0))[1]
        serve("unix", socketserver.UnixStreamServer, unix)
        Path(unix).chmod(0o777)
        serve("abstract", socketserver.UnixStreamServer, "\0" + abstract)
        yield {
            "tcp": serve("tcp", socketserver.TCPServer, ("0.0.0.0", 0))[1],
            "udp": serve("udp", socketserver.UDPServer, ("0.0.0.0", 0))[1],
            "tcp6": tcp6,
            "unix": unix,
            "abstract": abstract,
            "addresses": own_addresses(),
        }


def free_port() -> int:
    """Return the number of a port that nobody uses."""
    with socket.create_server(("0.0.0.0", 0)) as server:
        return int(server.getsockname()[1])


def own_addresses() -> list[str]:
    """Return the machine's own addresses in its networks."""
    import psutil

    found = [one.address for those in psutil.net_if_addrs().values() for one in those if one.family == socket.AF_INET]
    return [address for address in found if not address.startswith("127.")]


@dataclass
class Attack:
    """What came of one attacker's run."""

    name: str
    run: RunRecord
    attempts: dict[str, dict[str, Any]]
    events: list[dict[str, Any]]
    folder: Path
    """Of the attempt at the run."""

    @property
    def log(self) -> str:
        return (self.folder / "run.log").read_text(errors="replace")

    @property
    def gained(self) -> dict[str, str]:
        return {name: one["what"] for name, one in self.attempts.items() if one["gained"]}

    @property
    def untried(self) -> dict[str, str]:
        """Attempts that could not be made, with the reasons; a test says which it accepts."""
        return {name: one["what"] for name, one in self.attempts.items() if not one["tried"]}

    @property
    def flagged(self) -> list[dict[str, Any]]:
        return [event for event in self.events if event["kind"] in FLAGGED]

    def limits_met(self) -> set[str]:
        return {event["limit"] for event in self.events if event["kind"] == "limit"}

    def refusals(self) -> dict[str, str]:
        return {event["path"]: event["why"] for event in self.events if event["kind"] == "refused"}


class Battlefield:
    """Runs attackers, and sees to what must hold after any attack."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.runs = host.folder / "runs"
        self._groups = 0

    def attack(
        self, sandbox: str, script: str, *modes: str, words: tuple[str, ...] = (), **limits: Any
    ) -> dict[str, Attack]:
        """Run an attacker once in each of its modes, all in one group; return what came of each, by mode.

        The attacker is started with its mode and `words`.
        """
        usual = {"seconds": 60, "grace": 1, "cpus": 1, "memory": 512 * MiB, "processes": 128, "disk": 64 * MiB}
        bounds = Limits(**usual | limits)
        agents = {mode: self._agent(sandbox, script, mode, words) for mode in modes or (script,)}
        competition = self.host.competition
        plan = Plan(
            {agent.id: agent for agent in agents.values()}, {competition.label: competition}, 1, sandbox, bounds
        )
        self._groups += 1
        folder = self.runs / f"group-{self._groups}"
        registry = Registry(competition.prepared_dir.parents[1])
        record = run_group(plan, folder, registry, slots=Slots(2), progress=Silence())
        by_agent = {run.agent: run for run in record.runs.values()}
        attacks = {mode: self._outcome(folder, mode, by_agent[agent.id]) for mode, agent in agents.items()}
        for attack in attacks.values():
            assert attack.run.verdict is not None, attack.run
            assert attack.run.attempt == 1, "the harness was to blame for something that the agent did"
            assert attack.run.ending is not None
            assert attack.run.ending.reason is not Reason.HARNESS, attack.run.ending
            # Bounded is what matters; how far beyond limit and grace depends on how busy the machine is.
            assert attack.run.ending.seconds < bounds.seconds + bounds.grace + 15
        assert verify(folder) == []
        assert not list((self.runs / ".work").glob("*")), "an agent's working folder was left"
        assert not self.living_processes()
        assert not left_by_this_harness(sandbox)
        return attacks

    def alone(self, sandbox: str, script: str, **limits: Any) -> Attack:
        """Run an attacker that has no modes, and see that it played its whole list."""
        attack = self.attack(sandbox, script, **limits)[script]
        assert attack.attempts.keys() == attempts_in(script), attack.log
        return attack

    def living_processes(self) -> list[str]:
        """Return processes, by command, in whose view of the file system a folder of these runs is mounted."""
        place = "/".join(self.runs.parts[-4:])  # the kernel tells paths below the top of their file system
        found = []
        for entry in Path("/proc").iterdir():
            with suppress(OSError):
                if entry.name.isdigit() and place in (entry / "mountinfo").read_text():
                    found.append((entry / "cmdline").read_text().replace("\0", " "))
        return found

    def _agent(self, sandbox: str, script: str, mode: str, words: tuple[str, ...]) -> Agent:
        folder = self.host.folder / "agents" / mode
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("attempts.py", f"{script}.py"):
            shutil.copy(ATTACKERS / name, folder)
        (folder / "targets.json").write_text(json.dumps(self.host.targets))
        command = ("{python}", f"{script}.py", *(() if mode == script else (mode,)), *words)
        environment = {"HARMLESS_ONLY": "1"} if sandbox == "process" else {}
        name = mode.replace("_", "-")
        return Agent(AgentDeclaration(id=name, description="", command=command, environment=environment), folder)

    def _outcome(self, group: Path, mode: str, run: RunRecord) -> Attack:
        folder = group / run.run_id / "attempts" / str(run.attempt)
        attempts = {}
        for line in (folder / "run.log").read_text(errors="replace").splitlines():
            if line.startswith('{"attempt"'):
                one = json.loads(line)
                attempts[one["attempt"]] = one
        return Attack(mode, run, attempts, list(read_events(folder / "events.jsonl")), folder)


def left_by_this_harness(sandbox: str) -> list[str]:
    """Return control groups, staged files and containers whose names hold the number of this process."""
    found = [str(path) for pattern in ("mlebench-*", "*/mlebench-*") for path in Path("/sys/fs/cgroup").glob(pattern)]
    found += [str(path) for path in Path(tempfile.gettempdir()).glob("mlebench-job-*")]
    if sandbox in ("docker", "podman"):
        listed = [sandbox, "ps", "--all", "--format", "{{.Labels}}"]
        found += subprocess.run(listed, capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for name in found if f"-{os.getpid()}-" in name]


class Silence:
    """Says nothing about progress."""

    def started(self, run: RunRecord) -> None: ...

    def event(self, run: RunRecord, kind: str, /, **facts: object) -> None: ...

    def finished(self, run: RunRecord) -> None: ...


@pytest.fixture
def field(host: Host) -> Battlefield:
    return Battlefield(host)
