"""Which runs enter the means, and the evidence that all parts of a report are computed from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from mlebench.analysis.model import AgentSummary, CompetitionFacts, Rate, RunKey, RunResult
    from mlebench.tasks.registry import Registry


@dataclass(frozen=True, slots=True)
class Selection:
    """The rule by which runs enter the means."""

    counted: frozenset[str]
    """Labels of the competitions that may count."""
    requested: tuple[str, ...] | None = None
    """The competitions asked for, such as those of a split; None for all that have runs."""
    pad_missing: bool = False
    """Whether a missing run counts as a failure. If not, seeds with missing runs are left out."""
    rehearsal: bool = False
    """Whether runs on synthetic data count, because there are no others."""

    def admits(self, run: RunResult) -> bool:
        """Return whether a run may enter the means."""
        return run.finished and (self.rehearsal or not run.is_rehearsal)

    def competitions_of(self, runs: Sequence[RunResult]) -> list[str]:
        """Return the competitions that count for the agent with these runs, in the order of the report."""
        known = {run.competition for run in runs} & self.counted
        if self.requested is None:
            return sorted(known, key=str.casefold)
        return [label for label in self.requested if label in known or self.pad_missing]

    def without(self, labels: Collection[str]) -> Selection:
        """Return the same rule without some competitions."""
        requested = None if self.requested is None else tuple(one for one in self.requested if one not in labels)
        return replace(self, counted=self.counted.difference(labels), requested=requested)

    def restricted_to(self, labels: Sequence[str]) -> Selection:
        """Return the same rule for a part of the competitions."""
        if self.requested is not None:
            labels = [label for label in self.requested if label in labels]
        return replace(self, requested=tuple(labels))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evidence that breakdowns, comparisons, curves, tasks and caveats are computed from."""

    runs: Mapping[str, Sequence[RunResult]]
    """All runs, by agent."""
    agents: Sequence[AgentSummary]
    facts: Mapping[str, CompetitionFacts]
    """By label of the competition."""
    selection: Selection
    registry: Registry | None = None
    """Where competitions are looked up."""

    def entered_runs(self, agent: AgentSummary) -> dict[RunKey, RunResult]:
        """Return the runs of an agent that entered its means; missing runs have no entry."""
        competitions, seeds = set(agent.competitions), set(agent.seeds_counted)
        return {
            run.key: run
            for run in self.runs[agent.agent]
            if run.competition in competitions and run.seed in seeds and self.selection.admits(run)
        }

    def rate_by_competition(self, agent: AgentSummary, rate: Rate) -> dict[str, float]:
        """Return the percentage of an agent's counted seeds in which a rate holds, for each of its competitions."""
        successes = dict.fromkeys(agent.competitions, 0)
        for key, run in self.entered_runs(agent).items():
            successes[key.competition] += rate.holds(run)
        seeds = max(1, len(agent.seeds_counted))
        return {competition: 100 * number / seeds for competition, number in successes.items()}
