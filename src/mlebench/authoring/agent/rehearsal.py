"""A rehearsal: one short run of an agent on a demo competition, with a scripted model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.authoring.agent.script import Script
from mlebench.gateway.scripted import ScriptedServer
from mlebench.grading.reports import Outcome
from mlebench.ground.extras import missing
from mlebench.sandbox.ending import Reason

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.agents.declaration import Agent
    from mlebench.gateway.models import CallRecord, ModelsConfig
    from mlebench.runs.record import RunRecord
    from mlebench.sandbox.limits import Limits
    from mlebench.tasks.registry import Registry

COMPETITION = "demo-wine"
_MAX_LOG_FILES = 50
_MAX_LOG_BYTES = 200_000
"""The end of each log file that is read."""
_COLOUR_CODES = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Rehearsal:
    """The result of a rehearsal."""

    agent: Agent
    run: RunRecord
    folder: Path
    """The run's folder."""
    requested_models: frozenset[str]
    """Names of the models that the agent asked for."""
    calls: tuple[CallRecord, ...]
    """The model gateway's record of the agent's calls."""
    log: str
    """The output of the agent and its log files."""

    @property
    def is_graded(self) -> bool:
        """Whether the agent left a valid submission."""
        return self.run.verdict is not None and self.run.verdict.outcome is Outcome.GRADED

    @property
    def is_clean(self) -> bool:
        """Whether the agent finished by itself with a valid submission."""
        return self.is_graded and self.run.ending is not None and self.run.ending.reason is Reason.FINISHED

    @property
    def stdout(self) -> str:
        """The output of the agent alone."""
        return (self.folder / "run.log").read_text(errors="replace")


def rehearse(agent: Agent, folder: Path, registry: Registry, *, sandbox: str, limits: Limits) -> Rehearsal:
    """Run an agent once on the demo competition.

    Parameters
    ----------
    agent : Agent
        An agent that is installed for the sandbox.
    folder : Path
        An empty folder; everything that the run leaves is below it.
    registry : Registry
        Where the demo competition's data are, or will be prepared.
    sandbox : str
        Name of a sandbox.
    limits : Limits
        Limits of the run.
    """
    from mlebench.data import prepare
    from mlebench.runs.group import run_group
    from mlebench.runs.layout import MODEL_CALLS
    from mlebench.runs.plan import Models, Plan
    from mlebench.runs.progress import Silent
    from mlebench.runs.slots import Slots

    competition = registry.get_competition(COMPETITION)
    prepare(competition)
    with ScriptedServer(Script.of(agent)) as server:
        models = None
        if agent.declaration.model.names or _has_gateway():
            models = Models(_gateway_config(agent, server.url)).listing([agent])
        plan = Plan({agent.id: agent}, {competition.label: competition}, 1, sandbox, limits, models=models)
        record = run_group(plan, folder / "rehearsal", registry, slots=Slots(1), progress=Silent())
        requested = frozenset(str(request.body.get("model")) for request in server.requests)
    (run,) = record.runs.values()
    run_folder = folder / "rehearsal" / run.run_id
    calls = _read_calls(run_folder / f"attempts/{run.attempt}/{MODEL_CALLS}")
    return Rehearsal(agent, run, run_folder, requested, calls, _read_logs(run_folder))


def _has_gateway() -> bool:
    """Return whether the packages of the model gateway are installed; agents that ask no model do not need it."""
    return not missing(["models"])


def _gateway_config(agent: Agent, url: str) -> ModelsConfig:
    """Return a configuration that sends every model to the scripted server, in the protocol that the agent speaks."""
    from mlebench.gateway.models import ModelsConfig
    from mlebench.gateway.models.config import Upstream

    protocol = agent.declaration.model.protocol
    if protocol == "anthropic":
        upstream = Upstream(protocol="anthropic", base_url=url)
    else:
        upstream = Upstream(protocol="openai", base_url=f"{url}/v1")
    return ModelsConfig(upstreams={"scripted": upstream}, default_upstream="scripted")


def _read_calls(path: Path) -> tuple[CallRecord, ...]:
    from mlebench.gateway.models import CallRecord

    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else ()
    return tuple(CallRecord.model_validate_json(line) for line in lines)


def _read_logs(run_folder: Path) -> str:
    """Return the ends of the agent's output and log files, without colour codes."""
    paths = [run_folder / "run.log", *sorted((run_folder / "logs").rglob("*"))]
    texts = [
        path.read_bytes()[-_MAX_LOG_BYTES:].decode(errors="replace")
        for path in paths[:_MAX_LOG_FILES]
        if path.is_file()
    ]
    return _COLOUR_CODES.sub("", "\n".join(texts))
