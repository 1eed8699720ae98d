"""Agents against each other, over the competitions that they share."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from mlebench.analysis import statistics
from mlebench.analysis.estimates import Rate, known, known_interval
from mlebench.analysis.rates import medals_by_competition
from mlebench.analysis.report import Comparison

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mlebench.analysis.agent_summary import AgentSummary
    from mlebench.analysis.results import RunResult

RATES = (Rate.VALID, Rate.ABOVE_MEDIAN, Rate.ANY_MEDAL)
MOST_IN_PAIRS = 6
"""Agents up to which every pair is compared; of more, each is compared with the first."""


def compare(runs: Mapping[str, Sequence[RunResult]], agents: Sequence[AgentSummary]) -> Iterator[Comparison]:
    """Yield the comparisons of agents; `runs` are those of each agent."""
    pairs = list(combinations(agents, 2)) if len(agents) <= MOST_IN_PAIRS else [(agents[0], one) for one in agents[1:]]
    for rate in RATES:
        by_agent = {agent.agent: medals_by_competition(runs[agent.agent], agent, rate) for agent in agents}
        for one, other in pairs:
            left, right = by_agent[one.agent], by_agent[other.agent]
            shared = [name for name in left if name in right]
            if shared and one.seeds_counted and other.seeds_counted:
                yield _comparison(one.agent, other.agent, rate, [left[n] for n in shared], [right[n] for n in shared])


def _comparison(first: str, second: str, rate: Rate, left: list[float], right: list[float]) -> Comparison:
    found = statistics.compare_paired(left, right)
    return Comparison(
        first=first,
        second=second,
        rate=rate,
        competitions=found.competitions,
        better=found.better,
        worse=found.worse,
        difference=found.difference,
        interval=known_interval(found.interval),
        sign_p=found.sign_p,
        permutation_p=found.permutation_p,
        detectable=known(found.detectable),
    )
