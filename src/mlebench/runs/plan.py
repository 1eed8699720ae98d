"""What a group of runs does: agents x competitions x seeds, under names that the same command repeats."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mlebench.errors import UsageError
from mlebench.runs.record import ModelsRecord, PlanRecord, RunRecord, digest_of
from mlebench.runs.texts import description_of
from mlebench.sandbox import get_sandbox
from mlebench.sandbox.base import require_network
from mlebench.sandbox.limits import GiB, Limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from mlebench.agents.declaration import Agent
    from mlebench.gateway.models import Mode, ModelsConfig
    from mlebench.sandbox.kernel.cgroup import Enforcement
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.network import Network
    from mlebench.tasks.competition import Competition

GROUP_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Models:
    """The models that agents may ask, and where the answers come from."""

    config: ModelsConfig
    mode: Mode = "live"
    recording: Path | None = None

    def listing(self, agents: Iterable[Agent]) -> Models:
        """Return these models, with those added that the agents ask and the default upstream offers.

        Agents are told which models are listed, and a budget in money needs the prices of all of them.
        """
        asked = {name for agent in agents for name in agent.declaration.model.names}
        found = {name: self.config.find(name) for name in sorted(asked - set(self.config.models))}
        added = {name: entry[1] for name, entry in found.items() if entry is not None}
        return replace(self, config=self.config.model_copy(update={"models": self.config.models | added}))

    @property
    def record(self) -> ModelsRecord:
        config = self.config
        return ModelsRecord(
            names=tuple(sorted(config.models)),
            mode=self.mode,
            requests=config.budget.requests,
            tokens=config.budget.tokens,
            money=config.budget.money,
            hosted_tools=config.hosted_tools,
            config=digest_of(config.model_dump_json()),
            allowed_fields={
                name: upstream.allowed_fields for name, upstream in config.upstreams.items() if upstream.allowed_fields
            },
        )


@dataclass(frozen=True)
class Plan:
    """A group of runs before it starts."""

    agents: Mapping[str, Agent]
    competitions: Mapping[str, Competition]
    """By label, such as `demo-wine` or `demo-wine@v2`."""
    seeds: int
    sandbox: str
    limits: Limits
    profile: str | None = None
    """Name of the resource profile."""
    gpus: int = 0
    """Number of GPUs of each run."""
    models: Models | None = None
    """The models that agents may ask; None without models."""
    obfuscated: bool = False
    """Whether agents get a brief and paths that do not name the competition."""
    network: Network = "closed"
    """The requested network; in the sandbox `process` it is always open."""
    experiment: str | None = None
    """Name of the experiment."""

    def __post_init__(self) -> None:
        if not self.agents or not self.competitions or self.seeds < 1:
            raise UsageError("A group of runs needs at least one agent, one competition and one seed.")
        if self.network == "open":
            require_network(self.network, get_sandbox(self.sandbox))
        for agent in self.agents.values():
            require_needs(agent, self.limits, self.gpus)
            require_models(agent, self.models)

    @property
    def guarantees(self) -> dict[str, bool]:
        """Which guarantees hold for the runs."""
        promised = dict(get_sandbox(self.sandbox).guarantees)
        return promised if self.network == "closed" else promised | {"network": False}

    @property
    def enforcement(self) -> Enforcement:
        """How limits on memory are enforced on this machine."""
        return get_sandbox(self.sandbox).enforcement

    @property
    def record(self) -> PlanRecord:
        return PlanRecord(
            agents=tuple(self.agents),
            competitions=tuple(self.competitions),
            seeds=self.seeds,
            sandbox=self.sandbox,
            network="closed" if self.guarantees["network"] else "open",
            obfuscated=self.obfuscated,
            limits=self.limits,
            profile=self.profile,
            gpus=self.gpus,
            models=None if self.models is None else self.models.record,
            variables={
                name: agent.declaration.variables()
                for name, agent in self.agents.items()
                if agent.declaration.variables()
            },
            experiment=self.experiment,
        )

    @property
    def runs(self) -> list[RunRecord]:
        """The runs, seeds outermost, so that an interrupted group has complete seeds rather than complete tasks."""
        return [
            RunRecord(
                run_id=f"{label}_{agent}_seed-{seed}",
                competition_id=competition.id,
                version=competition.version,
                agent=agent,
                seed=seed,
                description=description_of(competition, obfuscated=self.obfuscated),
            )
            for seed in range(self.seeds)
            for label, competition in self.competitions.items()
            for agent in self.agents
        ]

    def default_name(self, split: str | None = None) -> str:
        """Return a group name that describes the plan and differs for any other plan."""
        what = split or (next(iter(self.competitions)) if len(self.competitions) == 1 else "selection")
        record = self.record
        unset = {name for name in ("variables", "experiment") if not getattr(record, name)}
        digest = hashlib.sha256(record.model_dump_json(exclude=unset).encode()).hexdigest()[:6]
        return f"{'-'.join(self.agents)}.{what.replace('@', '-')}.{self.seeds}-seeds.{digest}"


_UNITS = {
    "seconds": ("seconds", "--time-limit"),
    "cpus": ("cores", "--cpus"),
    "memory_gib": ("GiB of memory", "--memory"),
    "disk_gib": ("GiB on disk", "--disk"),
    "gpus": ("GPUs", "--gpus"),
}


def require_needs(agent: Agent, limits: Limits, gpus: int) -> None:
    """Raise UsageError if a run gives an agent less than it needs."""
    needs = agent.declaration.resources
    given = {
        "seconds": limits.seconds,
        "cpus": limits.cpus,
        "memory_gib": None if limits.memory is None else limits.memory / GiB,
        "disk_gib": None if limits.disk is None else limits.disk / GiB,
        "gpus": gpus,
    }
    for name, least in needs.model_dump(exclude_none=True).items():
        value = given[name]
        if value is not None and value < least:
            unit, option = _UNITS[name]
            raise UsageError(
                f"The agent {agent.id} needs at least {least:g} {unit}, and a run has {value:g}. "
                f"Use more with {option}."
            )


def require_models(agent: Agent, models: Models | None) -> None:
    """Raise UsageError if an agent asks a model that the run does not offer."""
    for name in agent.declaration.model.names:
        if models is None:
            keys = f" with its key in {' or '.join(agent.declaration.secrets)}" if agent.declaration.secrets else ""
            raise UsageError(
                f"The agent {agent.id} asks the model {name!r}, and the run offers no models. Name a file that "
                f"offers it{keys} with --models (docs/models.md), or use an --experiment."
            )
        found = models.config.find(name)
        if found is None:
            offered = ", ".join(sorted(models.config.models))
            raise UsageError(
                f"The agent {agent.id} asks the model {name!r}, and the models file offers {offered}. Add it there, "
                "or choose another with --model."
            )
        upstream = models.config.upstreams[found[1].upstream]
        if agent.declaration.model.protocol not in ("any", upstream.protocol):
            raise UsageError(
                f"The agent {agent.id} speaks the protocol {agent.declaration.model.protocol}, and the upstream "
                f"{found[1].upstream!r} of the model {name!r} speaks {upstream.protocol}. "
                "Use a model with the agent's protocol."
            )


def check_group_name(name: str) -> str:
    """Return the name of a group if it is fit for a folder; UsageError if not."""
    if not GROUP_NAME.fullmatch(name):
        raise UsageError(f"A group's name has letters, digits, dots, hyphens and underscores only, not {name!r}.")
    return name
