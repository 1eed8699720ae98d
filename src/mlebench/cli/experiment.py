"""What an experiment's file adds to the options of `run`, and which agents they choose together."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import UsageError

if TYPE_CHECKING:
    from mlebench.agents.declaration import Agent
    from mlebench.gateway.models import ModelsConfig

_WHERE = ("competition_id", "split", "list_file")
_CHANGES = (
    *("agents", "model", *_WHERE, "seeds", "profile", "time_limit", "memory", "cpus", "disk", "gpus"),
    *("models", "obfuscated", "rehearsal"),
)
"""Options that make another experiment of it."""


@dataclasses.dataclass(frozen=True)
class Filled:
    """Options, filled up with what an experiment says."""

    name: str
    """Of the experiment; `(changed)` where options replace what it says."""
    agents: list[str]
    competition_ids: list[str] | None
    split: str | None
    seeds: int
    profile: str | None
    obfuscated: bool
    model: str | None
    roles: dict[str, str]
    environment: dict[str, str]
    models: ModelsConfig | None


def parts(name: str) -> tuple[str, ...]:
    """Return the experiments that one is made of; none for one that is made of runs."""
    from mlebench.runs.experiments import get_experiment

    return get_experiment(name).of


def fill(name: str, given: dict[str, Any]) -> Filled:
    """Fill the options of a command up with what an experiment says."""
    from mlebench.runs.experiments import get_experiment

    says = get_experiment(name)
    label = Path(name).stem if name.endswith((".yaml", ".yml")) else name
    elsewhere = any(given[option] for option in _WHERE)
    return Filled(
        name=f"{label} (changed)" if any(given[option] for option in _CHANGES) else label,
        agents=given["agents"] or list(says.agents),
        competition_ids=given["competition_id"] if elsewhere else list(says.competitions) or None,
        split=given["split"] if elsewhere else says.split,
        seeds=given["seeds"] or says.seeds,
        profile=given["profile"] or says.profile,
        obfuscated=given["obfuscated"] or says.obfuscated,
        model=says.model,
        roles=says.roles,
        environment=says.environment,
        models=says.models,
    )


def choose_agents(names: list[str] | None, model: str | None, filled: Filled | None) -> dict[str, Agent]:
    """Return the agents by id, with the settings that the options and the experiment give them."""
    from mlebench.agents.registry import get_agent

    if not names:
        raise UsageError("Say which agent, with --agent, or which --experiment.")
    chosen = {agent.id: agent for agent in map(get_agent, names)}
    if len(chosen) < len(names):
        raise UsageError("Two of the agents have the same id.")
    if filled is None:
        return {name: agent.with_settings(model=model) for name, agent in chosen.items()}
    settings = {"roles": filled.roles, "environment": filled.environment}
    return {name: agent.with_settings(model=model or filled.model, **settings) for name, agent in chosen.items()}
