"""Which competitions tell agents apart: their leaderboards, who has medals, and their known problems."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from mlebench.analysis import statistics
from mlebench.analysis.model import LeaderboardShape, TaskSet, TaskSummary
from mlebench.analysis.standings import find_competition
from mlebench.errors import DeclarationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mlebench.analysis.evaluation import Evaluation
    from mlebench.analysis.model import RunResult
    from mlebench.analysis.model.base import Interval
    from mlebench.tasks.medals import Leaderboard
    from mlebench.tasks.registry import Registry

QUANTILES = 41
"""Scores by which a leaderboard is plotted."""


def find_tasks(evaluation: Evaluation) -> Iterator[TaskSummary]:
    """Yield how well each competition that counts tells the agents apart."""
    attempts: dict[str, list[RunResult]] = {
        label: [] for label in evaluation.facts if label in evaluation.selection.counted
    }
    for agent in evaluation.agents:
        for key, run in evaluation.entered_runs(agent).items():
            attempts[key.competition].append(run)
    for label, runs in attempts.items():
        medals = sum(run.medal is not None for run in runs)
        yield TaskSummary(
            competition=label,
            attempts=len(runs),
            medals=medals,
            medalists=_medalists(medals, len(runs)),
            problems=evaluation.facts[label].problems,
            fit=evaluation.facts[label].fit,
            shape=_find_shape(label, evaluation.registry),
        )


def _medalists(medals: int, attempts: int) -> Literal["nobody", "some", "everybody"] | None:
    if not attempts:
        return None
    return "nobody" if not medals else "everybody" if medals == attempts else "some"


def weigh_tasks(tasks: Sequence[TaskSummary], evaluation: Evaluation) -> TaskSet | None:
    """Return how well the competitions together tell agents apart; None if no run counts."""
    tried = [task for task in tasks if task.attempts]
    if not tried:
        return None
    independent = _count_independent(evaluation)
    return TaskSet(
        competitions=len(tried),
        nobody=sum(task.medalists == "nobody" for task in tried),
        everybody=sum(task.medalists == "everybody" for task in tried),
        telling=statistics.telling_tasks([task.medals / task.attempts for task in tried]),
        independent=independent.number,
        independent_interval=independent.interval,
        why_not=independent.why_not,
    )


@dataclass(frozen=True, slots=True)
class _Independent:
    """The number of independent competitions, or why it is unknown."""

    number: float | None = None
    interval: Interval | None = None
    why_not: str | None = None


def _count_independent(evaluation: Evaluation) -> _Independent:
    comparable = [agent for agent in evaluation.agents if len(agent.seeds_counted) > 1]
    needed = statistics.MIN_AGENTS
    if len(comparable) < needed:
        return _Independent(why_not=f"It takes {needed} agents with two seeds each, and there are {len(comparable)}.")
    shared = set.intersection(*(set(agent.competitions) for agent in comparable))
    labels = [label for label in comparable[0].competitions if label in shared]
    if len(labels) < 2:
        return _Independent(why_not="The agents share fewer than two competitions.")
    rates, noise = np.zeros((2, len(comparable), len(labels)))
    for row, agent in enumerate(comparable):
        seeds = len(agent.seeds_counted)
        medals = Counter(key.competition for key, run in evaluation.entered_runs(agent).items() if run.medal)
        rates[row] = [medals[label] / seeds for label in labels]
        noise[row] = rates[row] * (1 - rates[row]) / (seeds - 1)
    number, interval = statistics.independent_tasks(rates, noise)
    if math.isnan(number):
        return _Independent(why_not="The agents differ no more than seeds do.")
    return _Independent(number, interval)


def _find_shape(label: str, registry: Registry | None) -> LeaderboardShape | None:
    competition = find_competition(label, registry)
    if competition is None:
        return None
    try:
        return leaderboard_shape(competition.standings)
    except (DeclarationError, OSError):
        return None


def leaderboard_shape(leaderboard: Leaderboard) -> LeaderboardShape:
    """Return how the teams of a leaderboard are spread around its thresholds."""
    scores = np.array(leaderboard.scores)
    thresholds = leaderboard.thresholds
    lower, upper = np.quantile(scores, [0.25, 0.75])
    spread = float(upper - lower)
    reach = abs(thresholds.gold - thresholds.bronze)
    ordered = np.quantile(scores, np.linspace(0, 1, QUANTILES))
    return LeaderboardShape(
        gold_to_bronze=reach / spread if spread > 0 else None,
        gold_to_median=abs(thresholds.gold - thresholds.median) / spread if spread > 0 else None,
        crowding=100 * float(np.mean(np.abs(scores - thresholds.bronze) <= reach)),
        tied=(
            _count_tied(scores, thresholds.gold),
            _count_tied(scores, thresholds.silver),
            _count_tied(scores, thresholds.bronze),
        ),
        quantiles=tuple(float(f"{score:.6g}") for score in (ordered[::-1] if leaderboard.lower_is_better else ordered)),
    )


def _count_tied(scores: NDArray[np.float64], threshold: float) -> int:
    return int((scores == threshold).sum())
