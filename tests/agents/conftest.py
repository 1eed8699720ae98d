"""Playing agents against a scripted model, on a demo task, in a real sandbox."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mlebench.agents import environment
from mlebench.agents.equipment import ensure
from mlebench.agents.interpreters import find_python
from mlebench.agents.registry import get_agent
from mlebench.errors import EnvironmentUnfitError
from mlebench.gateway.models import Budget, ModelsConfig
from mlebench.gateway.scripted import ScriptedServer
from mlebench.registry import Registry
from mlebench.runs.group import run_group
from mlebench.runs.plan import Models, Plan
from mlebench.runs.slots import Slots
from mlebench.sandbox import get_sandbox
from mlebench.sandbox.base import GiB, Limits, MiB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mlebench.agents.declaration import Agent
    from mlebench.competition import Competition
    from mlebench.gateway.scripted.script import Asked, Script, Tokens
    from mlebench.runs.record import RunRecord

ENVIRONMENTS = Path("/var/tmp") / f"mlebench-test-environments-{os.getuid()}"
PRICE = {"input": 1.0, "output": 2.0}
SOLVE_WINE = """
import pandas as pd
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

train, test = pd.read_csv("DATA/train.csv"), pd.read_csv("DATA/test.csv")
columns = [name for name in test if name != "id"]
model = make_pipeline(StandardScaler(), GaussianProcessClassifier(3.0 * RBF(3.0), random_state=0))
scores = cross_val_score(model, train[columns], train["grower"], scoring="neg_log_loss", cv=3)
print("log loss", -scores.mean())
model.fit(train[columns], train["grower"])
made = pd.DataFrame(model.predict_proba(test[columns]), columns=model.classes_)
made.insert(0, "id", test["id"])
made.to_csv("OUT/submission.csv", index=False)
"""
"""A solution of demo-wine that earns a medal; `DATA` and `OUT` stand for folders."""


class Quiet:
    """Takes what a group says about its progress."""

    def started(self, run: RunRecord) -> None: ...

    def event(self, run: RunRecord, kind: str, /, **facts: object) -> None: ...

    def finished(self, run: RunRecord) -> None: ...


@dataclass(frozen=True)
class Played:
    """One run that is over, and what the model was asked in it."""

    run: RunRecord
    folder: Path
    """The run's folder: submission, code, logs, run.log."""
    asked: list[Asked]
    reported: Tokens
    """What the server told it had counted."""

    @property
    def said(self) -> str:
        """What the agent printed."""
        return (self.folder / "run.log").read_text(errors="replace")

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The gateway's log of calls."""
        path = self.folder / f"attempts/{self.run.attempt}/model_calls.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()]

    @property
    def submission(self) -> bytes | None:
        path = self.folder / "submission/submission.csv"
        return path.read_bytes() if path.exists() else None


class Stage:
    """Plays agents on one prepared competition."""

    def __init__(self, folder: Path, competition: Competition) -> None:
        self.folder, self.competition = folder, competition

    def play(
        self,
        agent: Agent,
        script: Script,
        *,
        model: str | None = None,
        seconds: float = 100,
        memory: int = 2 * GiB,
        mode: str = "live",
        recording: Path | None = None,
        group: str = "group",
        sandbox: str = "bubblewrap",
        retries: int = 4,
        protocol: str = "openai",
        **budget: float,
    ) -> Played:
        """Run an agent once, whose models are the scripted server; `budget` is what it may spend of them."""
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
                {self.competition.label: self.competition},
                1,
                sandbox,
                Limits(seconds=seconds, grace=3, cpus=1, memory=memory, disk=512 * MiB),
                models=Models(config, mode, recording),
            )
            registry = Registry(self.competition.prepared_dir.parents[1])
            folder = self.folder / "runs" / group
            record = run_group(plan, folder, registry, slots=Slots(1), progress=Quiet())
            (run,) = record.runs.values()
            return Played(run, folder / run.run_id, server.asked, server.reported)


@pytest.fixture
def stage(tmp_path: Path, prepared: Callable[[str], Competition], require: Callable[[str | None], None]) -> Stage:
    require(get_sandbox("bubblewrap").probe())
    return Stage(tmp_path, prepared("demo-wine"))


@pytest.fixture(scope="session")
def installed(require: Callable[[str | None], None]) -> Iterator[Callable[..., Agent]]:
    """A function that returns an agent by name, its packages installed: once, in a folder that is kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(environment.FOLDER_VARIABLE, str(ENVIRONMENTS))

        def get(name: str, sandbox: str = "bubblewrap") -> Agent:
            agent = get_agent(name)
            if sandbox == "bubblewrap":
                try:
                    find_python(agent)
                except EnvironmentUnfitError as error:  # no package of an older Debian has it; Docker's image does
                    pytest.skip(str(error))
            try:
                ensure(agent, sandbox)
            except EnvironmentUnfitError as error:
                require(str(error))
            return agent

        yield get


@pytest.fixture(scope="session")
def solve_wine() -> Callable[[str, str], str]:
    """A function from the folders of data and submission to a script that solves demo-wine."""
    return lambda data, out: SOLVE_WINE.replace("DATA", data).replace("OUT", out)
