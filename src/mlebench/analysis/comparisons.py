"""Agents compared over the competitions that both have."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from mlebench.analysis import statistics
from mlebench.analysis.estimates import interval_or_none, nan_to_none
from mlebench.analysis.model import Comparison, Rate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.analysis.evaluation import Evaluation

RATES = (Rate.VALID, Rate.ABOVE_MEDIAN, Rate.ANY_MEDAL)
MAX_IN_PAIRS = 6
"""Number of agents up to which every pair is compared; of more, each is compared with the first."""


def compare_agents(evaluation: Evaluation) -> Iterator[Comparison]:
    """Yield the comparisons of agents, for each of `RATES`."""
    agents = evaluation.agents
    pairs = list(combinations(agents, 2)) if len(agents) <= MAX_IN_PAIRS else [(agents[0], one) for one in agents[1:]]
    for rate in RATES:
        by_agent = {agent.agent: evaluation.rate_by_competition(agent, rate) for agent in agents}
        for first, second in pairs:
            left, right = by_agent[first.agent], by_agent[second.agent]
            shared = [label for label in left if label in right]
            if not (shared and first.seeds_counted and second.seeds_counted):
                continue
            paired = statistics.compare_paired([left[label] for label in shared], [right[label] for label in shared])
            yield Comparison(
                first=first.agent,
                second=second.agent,
                rate=rate,
                competitions=paired.competitions,
                better=paired.better,
                worse=paired.worse,
                difference=paired.difference,
                interval=interval_or_none(paired.interval),
                sign_p=paired.sign_p,
                permutation_p=paired.permutation_p,
                detectable=nan_to_none(paired.detectable),
            )
