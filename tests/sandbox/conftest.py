"""Running small jobs in each sandbox."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mlebench.sandbox.bubblewrap import BubblewrapSandbox
from mlebench.sandbox.container import ContainerSandbox
from mlebench.sandbox.job import Job
from mlebench.sandbox.kernel.cgroup import ControlGroup
from mlebench.sandbox.limits import Limits, MiB
from mlebench.sandbox.process import ProcessSandbox
from mlebench.sandbox.stop import StopSignal
from mlebench.sandbox.tokens import new_token

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.sandbox.base import Sandbox
    from mlebench.sandbox.ending import Ending
    from mlebench.sandbox.network import Network
    from mlebench.sandbox.port_forward import PortForward


@dataclass
class Events:
    """Keeps the events that it receives."""

    received: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def __call__(self, kind: str, /, **facts: object) -> None:
        self.received.append((kind, facts))

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [facts for name, facts in self.received if name == kind]


@dataclass
class Result:
    ending: Ending
    log: str
    events: Events
    home: Path


class Bench:
    """Runs one job after another in fresh folders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = 0
        self.data = folder / "data"
        self.data.mkdir()
        (self.data / "train.csv").write_text("id,y\n1,2\n")
        self.instructions = folder / "brief.md"
        self.instructions.write_text("Predict y.\n")

    def job(self, command: tuple[str, ...], **more: Any) -> Job:
        self.number += 1
        home = self.folder / f"run-{self.number}" / "home"
        home.mkdir(parents=True)
        return Job(
            name=f"run-{self.number}",
            command=command,
            data=self.data,
            instructions=self.instructions,
            home=home,
            log=home.parent / "job.log",
            **more,
        )

    def __call__(
        self,
        sandbox: Sandbox,
        *command: str,
        stop: StopSignal | None = None,
        port_forwards: tuple[PortForward, ...] = (),
        environment: dict[str, str] | None = None,
        tools: Path | None = None,
        network: Network = "closed",
        **limits: Any,
    ) -> Result:
        job = self.job(
            command, port_forwards=port_forwards, environment=environment or {}, tools=tools, network=network
        )
        bounds = Limits(**{"seconds": 600, "grace": 0.5, "memory": 1024 * MiB} | limits)
        events = Events()
        ending = sandbox.run(job, bounds, stop=stop or StopSignal(), events=events)
        return Result(ending, job.log.read_text(errors="replace"), events, job.home)

    def to_the_limit(self, sandbox: Sandbox, *command: str, seconds: float, ready: int, **more: Any) -> Result:
        """Run a job that prints some lines when it is ready for its time limit.

        Where the time is too short for them, on a busy machine, the job gets twice the time.
        """
        for number in range(7):
            result = self(sandbox, *command, seconds=seconds * 2**number, **more)
            if len(result.log.splitlines()) >= ready:
                break
        return result

    def python(self, sandbox: Sandbox, script: str, **more: Any) -> Result:
        return self(sandbox, "{python}", "-c", script, **more)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def events() -> Events:
    return Events()


@pytest.fixture(scope="session")
def bubblewrap(require: Callable[[str | None], None]) -> BubblewrapSandbox:
    sandbox = BubblewrapSandbox()
    require(sandbox.probe())
    return sandbox


CONTAINERS = ["docker", "podman"]


def _sandbox_named(request: pytest.FixtureRequest, name: str) -> Sandbox:
    if name == "process":
        return ProcessSandbox()
    made = request.getfixturevalue(name)
    return made if isinstance(made, BubblewrapSandbox) else ContainerSandbox(made.name)


@pytest.fixture(params=["bubblewrap", "process", *CONTAINERS])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Each sandbox in turn."""
    return _sandbox_named(request, request.param)


@pytest.fixture(params=["bubblewrap", *CONTAINERS])
def isolating(request: pytest.FixtureRequest) -> Sandbox:
    """Each sandbox that isolates, in turn."""
    return _sandbox_named(request, request.param)


@pytest.fixture(params=["bubblewrap", "bubblewrap-polling", "process", "process-polling", *CONTAINERS])
def enforced(request: pytest.FixtureRequest) -> Sandbox:
    """Each sandbox with each way to enforce its limits: by the kernel, or by looking often."""
    name, _, polling = request.param.partition("-")
    sandbox = _sandbox_named(request, name)
    if isinstance(sandbox, ContainerSandbox):
        return sandbox  # its engine always has the kernel do it
    if not polling:
        group = ControlGroup.create(new_token(), Limits())
        if group is None:
            pytest.skip("control groups cannot be written here, so polling is what is used")
        group.remove()
    return type(sandbox)(control_groups=not polling)  # type: ignore[call-arg]


@pytest.fixture(scope="session")
def plain_python(require: Callable[[str | None], None]) -> str:
    """A Python that another user can start, without packages."""
    for candidate in ("/usr/bin/python3", "/usr/local/bin/python3", sys.executable):
        path = Path(candidate)
        if path.exists() and all(parent.stat().st_mode & 0o001 for parent in path.resolve().parents):
            return candidate
    require("there is no Python here that another user could start")
    raise AssertionError
