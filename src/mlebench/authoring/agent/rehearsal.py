"""A rehearsal: an agent plays one short run of a demo competition, asking a model that follows a script."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from mlebench.gateway.scripted import Reply, Request, ScriptedServer, ToolCall
from mlebench.ground.declarations import read_declaration
from mlebench.ground.extras import missing

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.agents.declaration import Agent
    from mlebench.gateway.models import CallRecord
    from mlebench.gateway.models.config import Protocol
    from mlebench.runs.record import RunRecord
    from mlebench.sandbox.limits import Limits
    from mlebench.tasks.registry import Registry

SCRIPT_FILE = "rehearsal.yaml"
COMPETITION = "demo-wine"
_PLAIN = "This is the scripted model of a rehearsal. It says the same to everything."


class ScriptedCall(BaseModel):
    """A tool that the scripted model wants to have run."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class ScriptedReply(BaseModel):
    """One answer of the scripted model."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = ""
    tool_calls: tuple[ScriptedCall, ...] = ()


class Script(BaseModel):
    """The content of `rehearsal.yaml`: replies one after another, the last one again and again."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format_version: Literal[1] = 1
    replies: tuple[ScriptedReply, ...] = Field(min_length=1)

    @classmethod
    def of(cls, agent: Agent) -> Script:
        """Return the script that an agent brings, or one that says the same to everything."""
        try:
            return read_declaration(agent.folder / SCRIPT_FILE, cls)
        except FileNotFoundError:
            return cls(replies=(ScriptedReply(text=_PLAIN),))

    def __call__(self, request: Request) -> Reply:
        reply = self.replies[min(request.number, len(self.replies) - 1)]
        return Reply(reply.text, tuple(ToolCall(call.name, call.arguments) for call in reply.tool_calls))


@dataclass(frozen=True)
class Rehearsed:
    """What came of a rehearsal."""

    agent: Agent
    run: RunRecord
    folder: Path
    """The run's folder."""
    models_asked: frozenset[str]
    calls: tuple[CallRecord, ...]
    """What it asked of models."""
    log: str
    """What the agent printed, and the text files among its logs."""


class _Silent:
    def started(self, run: RunRecord) -> None: ...

    def event(self, run: RunRecord, kind: str, /, **facts: object) -> None: ...

    def finished(self, run: RunRecord) -> None: ...


def rehearse(agent: Agent, folder: Path, registry: Registry, *, sandbox: str, limits: Limits) -> Rehearsed:
    """Play an agent once, with everything kept in `folder`."""
    from mlebench.data import prepare
    from mlebench.gateway.models import ModelsConfig
    from mlebench.gateway.models.config import Upstream
    from mlebench.runs.group import run_group
    from mlebench.runs.plan import Models, Plan
    from mlebench.runs.runner import MODEL_CALLS
    from mlebench.runs.slots import Slots

    competition = registry.get_competition(COMPETITION)
    prepare(competition)
    with ScriptedServer(Script.of(agent)) as server:
        spoken = agent.declaration.model.protocol
        protocol: Protocol = "openai" if spoken == "any" else spoken
        address = f"{server.url}/v1" if protocol == "openai" else server.url
        config = ModelsConfig(
            upstreams={"scripted": Upstream(protocol=protocol, base_url=address)}, default_upstream="scripted"
        )
        plan = Plan(
            {agent.id: agent},
            {competition.label: competition},
            1,
            sandbox,
            limits,
            models=Models(config).listing([agent]) if agent.declaration.model.names or _has_gateway() else None,
        )
        record = run_group(plan, folder / "rehearsal", registry, slots=Slots(1), progress=_Silent())
        (run,) = record.runs.values()
        asked = frozenset(str(request.body.get("model")) for request in server.requests)
    place = folder / "rehearsal" / run.run_id
    return Rehearsed(agent, run, place, asked, _calls(place / f"attempts/{run.attempt}/{MODEL_CALLS}"), _log(place))


def _has_gateway() -> bool:
    """Tell whether the packages of the model gateway are there; agents that ask no model can be rehearsed without."""
    return not missing(["models"])


def _calls(path: Path) -> tuple[CallRecord, ...]:
    from mlebench.gateway.models import CallRecord

    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else ()
    return tuple(CallRecord.model_validate_json(line) for line in lines)


def _log(place: Path) -> str:
    """Return the ends of all that the run logged."""
    paths = [place / "run.log", *sorted((place / "logs").rglob("*"))]
    texts = [path.read_bytes()[-200_000:].decode(errors="replace") for path in paths[:50] if path.is_file()]
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(texts))
