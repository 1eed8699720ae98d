"""Which runs enter the means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.analysis.agent_summary import AgentSummary
    from mlebench.analysis.results import RunResult


@dataclass(frozen=True, slots=True)
class Counting:
    """What enters the means."""

    competitions: tuple[str, ...] | None = None
    """The competitions asked for, such as those of a split; None is those that there are runs of."""
    pad_missing: bool = False
    """Whether runs that are missing count as failures, instead of leaving out the seeds that lack them."""
    rehearsal: bool = False
    """Whether runs on rehearsal data count, as where there is nothing else."""

    def admits(self, run: RunResult) -> bool:
        return run.finished and (self.rehearsal or not run.is_rehearsal)


def entered_runs(
    runs: Sequence[RunResult], agent: AgentSummary, counting: Counting
) -> dict[tuple[str, int], RunResult]:
    """Return the runs of an agent that entered its means, by competition and seed; missing ones are left out."""
    competitions, seeds = set(agent.competitions), set(agent.seeds_counted)
    return {
        (run.competition, run.seed): run
        for run in runs
        if run.competition in competitions and run.seed in seeds and counting.admits(run)
    }
