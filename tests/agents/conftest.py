"""Run agents with a scripted model, on a demo task, in a real sandbox."""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mlebench.agents import environment
from mlebench.agents.declaration import Agent, AgentDeclaration
from mlebench.agents.installation import ensure_installed
from mlebench.agents.registry import get_agent
from mlebench.errors import EnvironmentUnfitError
from mlebench.gateway.models import Budget, ModelsConfig
from mlebench.gateway.scripted import ScriptedServer
from mlebench.runs.group import run_group
from mlebench.runs.plan import Models, Plan
from mlebench.runs.progress import Silent
from mlebench.runs.slots import Slots
from mlebench.sandbox import get_sandbox
from mlebench.sandbox.limits import GiB, Limits, MiB
from mlebench.tasks.registry import Registry

from ..engines import locked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mlebench.gateway.scripted import Request, Script, TokenCounts
    from mlebench.runs.record import RunRecord
    from mlebench.tasks.competition import Competition

ENVIRONMENTS = Path("/var/tmp") / f"mlebench-test-environments-{os.getuid()}"
PRICE = {"input": 1.0, "output": 2.0}


@dataclass(frozen=True)
class Played:
    """A run that has ended, and the requests to the model."""

    run: RunRecord
    folder: Path
    """The run's folder: submission, code, logs, run.log."""
    requests: list[Request]
    """All requests to the scripted server, those of other runs of the group included."""
    reported: TokenCounts
    """The tokens that the server reported, likewise."""

    @property
    def stdout(self) -> str:
        """The output of the agent."""
        return (self.folder / "run.log").read_text(errors="replace")

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The gateway's record of calls."""
        path = self.folder / f"attempts/{self.run.attempt}/model_calls.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()]

    @property
    def submission(self) -> bytes | None:
        path = self.folder / "submission/submission.csv"
        return path.read_bytes() if path.exists() else None


class Stage:
    """Runs agents on one prepared competition."""

    def __init__(self, folder: Path, competition: Competition) -> None:
        self.folder, self.competition = folder, competition

    def play(self, agent: Agent, script: Script, **options: Any) -> Played:
        """Run an agent once; `play_all` describes the options."""
        (played,) = self.play_all(agent, script, [self.competition], **options)
        return played

    def play_to_the_limit(
        self, agent: Agent, script: Script, *, requests: int, seconds: float, **options: Any
    ) -> Played:
        """Run an agent until its time limit, which ends it after so many requests.

        Where the time is too short for them, on a busy machine, the agent gets another run with twice the time.
        """
        for number in range(5):
            played = self.play(agent, script, seconds=seconds * 2**number, group=f"group-{number}", **options)
            if len(played.requests) >= requests:
                break
        return played

    def play_all(
        self,
        agent: Agent,
        script: Script,
        competitions: Sequence[Competition],
        *,
        model: str | None = None,
        seconds: float = 600,
        memory: int = 2 * GiB,
        mode: str = "live",
        recording: Path | None = None,
        group: str = "group",
        sandbox: str = "bubblewrap",
        retries: int = 4,
        protocol: str = "openai",
        **budget: float,
    ) -> list[Played]:
        """Run an agent on one competition after another, in one group.

        The scripted server answers for all models; `budget` limits each run.
        """
        names = {model} if model else set(agent.declaration.model.names)
        with ScriptedServer(script) as server:
            url = server.url if protocol == "anthropic" else f"{server.url}/v1"
            config = ModelsConfig(
                upstreams={"here": {"protocol": protocol, "base_url": url, "retries": retries}},
                models={name: {"upstream": "here"} for name in names},
                prices=dict.fromkeys(names, PRICE),
                budget=Budget(**budget),
            )
            plan = Plan(
                {agent.id: agent},
                {competition.label: competition for competition in competitions},
                1,
                sandbox,
                Limits(seconds=seconds, grace=3, cpus=1, memory=memory, disk=512 * MiB),
                models=Models(config, mode, recording),
            )
            registry = Registry(self.competition.prepared_dir.parents[1])
            folder = self.folder / "runs" / group
            record = run_group(plan, folder, registry, slots=Slots(1), progress=Silent())
            return [Played(run, folder / run.run_id, server.requests, server.reported) for run in record.runs.values()]


@pytest.fixture
def stage(tmp_path: Path, prepared: Callable[[str], Competition], require: Callable[[str | None], None]) -> Stage:
    require(get_sandbox("bubblewrap").probe())
    return Stage(tmp_path, prepared("demo-wine"))


@pytest.fixture(scope="session")
def installed(require: Callable[[str | None], None]) -> Iterator[Callable[..., Agent]]:
    """A function that returns an agent by name, with its packages installed once, in an environment or an image."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(environment.FOLDER_VARIABLE, str(ENVIRONMENTS))

        def get(name: str, sandbox: str = "bubblewrap") -> Agent:
            agent = get_agent(name)
            try:
                with locked(f"{agent.family}-{sandbox}", fcntl.LOCK_EX):
                    ensure_installed(agent, sandbox)
            except EnvironmentUnfitError as error:
                require(str(error))
            return agent

        yield get


PRINT_PLACES = """
import os, sys, own_package
open(os.environ["LOGS_DIR"] + "/seen", "w").write(sys.executable + own_package.__file__)
"""
"""A start.py that logs its interpreter and the file of its package."""
BUILD_BACKEND = """
import zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    about = "own_package-1.0.dist-info"
    with zipfile.ZipFile(f"{folder}/own_package-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("own_package/__init__.py", "")
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\\nName: own-package\\nVersion: 1.0\\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{about}/RECORD", "")
    return "own_package-1.0-py3-none-any.whl"
"""
"""A build backend without requirements."""


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """An agent with one requirement in a local folder; without the base image's packages, it installs quickly."""
    monkeypatch.setenv(environment.FOLDER_VARIABLE, str(tmp_path / "environments"))
    nothing = tmp_path / "nothing.txt"
    nothing.touch()
    monkeypatch.setattr(environment, "base_requirements", lambda variant: nothing)
    package = tmp_path / "own"
    (package / "own_package").mkdir(parents=True)
    (package / "own_package/__init__.py").touch()
    about = "[build-system]\nrequires = []\nbuild-backend = 'build'\nbackend-path = ['.']\n"
    (package / "pyproject.toml").write_text(about + "[project]\nname = 'own-package'\nversion = '1.0'\n")
    (package / "build.py").write_text(BUILD_BACKEND)
    folder = tmp_path / "agent"
    folder.mkdir()
    (folder / "start.py").write_text(PRINT_PLACES)
    (folder / "requirements.txt").write_text(f"{package}\n")
    return Agent(AgentDeclaration(id="tested", description="", command=("{python}", "start.py")), folder)
