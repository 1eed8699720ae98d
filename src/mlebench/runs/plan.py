"""What a group of runs is asked to do: agents x competitions x seeds, under names that the same command repeats."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.errors import UsageError
from mlebench.runs.record import LimitsRecord, PlanRecord, RunRecord
from mlebench.sandbox import get_sandbox

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.agents.declaration import Agent
    from mlebench.competition import Competition
    from mlebench.sandbox.base import Limits

GROUP_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Plan:
    """A group of runs, before it starts."""

    agents: Mapping[str, Agent]
    competitions: Mapping[str, Competition]
    """By label: the id, with `@v2` for that version."""
    seeds: int
    sandbox: str
    limits: Limits

    def __post_init__(self) -> None:
        if not self.agents or not self.competitions or self.seeds < 1:
            raise UsageError("A group of runs needs at least one agent, one competition and one seed.")

    @property
    def record(self) -> PlanRecord:
        return PlanRecord(
            agents=tuple(self.agents),
            competitions=tuple(self.competitions),
            seeds=self.seeds,
            sandbox=self.sandbox,
            network="closed" if get_sandbox(self.sandbox).guarantees["network"] else "open",
            limits=LimitsRecord(**dataclasses.asdict(self.limits)),
        )

    @property
    def runs(self) -> list[RunRecord]:
        """The runs, seeds outermost, so that a group that is cut short has whole seeds rather than whole tasks."""
        return [
            RunRecord(
                run_id=f"{label}_{agent}_seed-{seed}",
                competition_id=competition.id,
                version=competition.version,
                agent=agent,
                seed=seed,
            )
            for seed in range(self.seeds)
            for label, competition in self.competitions.items()
            for agent in self.agents
        ]

    def default_name(self, split: str | None = None) -> str:
        """Return a group name that says what runs, and that another plan does not get."""
        what = split or (next(iter(self.competitions)) if len(self.competitions) == 1 else "selection")
        digest = hashlib.sha256(self.record.model_dump_json().encode()).hexdigest()[:6]
        return f"{'-'.join(self.agents)}.{what.replace('@', '-')}.{self.seeds}-seeds.{digest}"


def check_group_name(name: str) -> str:
    """Return a name that is fit for a folder; raises UsageError for any other."""
    if not GROUP_NAME.fullmatch(name):
        raise UsageError(f"A group's name holds letters, digits, dots, hyphens and underscores only, not {name!r}.")
    return name
