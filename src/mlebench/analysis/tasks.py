"""Which tasks tell something: how far apart medals lie, what agents make of them, and which have known problems."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from mlebench.analysis import statistics
from mlebench.analysis.counting import entered_runs
from mlebench.analysis.standings import find_competition
from mlebench.errors import DeclarationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mlebench.analysis.agent_summary import AgentSummary
    from mlebench.analysis.counting import Counting
    from mlebench.analysis.facts import CompetitionFacts
    from mlebench.analysis.results import RunResult
    from mlebench.tasks.medals import Leaderboard
    from mlebench.tasks.registry import Registry

QUANTILES = 41
"""Scores that a leaderboard is drawn by."""


class LeaderboardShape(BaseModel):
    """How the teams of a leaderboard lie around its thresholds."""

    model_config = ConfigDict(frozen=True)

    gold_to_bronze: float | None
    """Distance of the two thresholds in interquartile ranges of all teams' scores; None where half of the teams have
    one score."""
    gold_to_median: float | None
    """The same, from gold to the median team."""
    crowding: float
    """Percent of all teams that are no further from the bronze threshold than gold is: how many ranks a difference
    between medals is worth."""
    tied: tuple[int, int, int]
    """Teams with exactly the score of the gold, silver and bronze threshold."""
    quantiles: tuple[float, ...]
    """Scores from the worst team to the best, in equal steps of teams."""


class TaskSummary(BaseModel):
    """What one competition tells about the agents in this report."""

    model_config = ConfigDict(frozen=True)

    competition: str
    attempts: int
    """Runs that entered the means."""
    medals: int
    """Those with a medal."""
    medalists: Literal["nobody", "some", "everybody"] | None
    """Who of these has a medal; None without attempts."""
    problems: tuple[str, ...]
    shape: LeaderboardShape | None
    """None where the leaderboard is not known here."""


class TaskSet(BaseModel):
    """How much all competitions together tell about medals."""

    model_config = ConfigDict(frozen=True)

    competitions: int
    nobody: int
    """Competitions in which no run has a medal: they tell these agents from better ones only."""
    everybody: int
    telling: float
    """`statistics.telling_tasks` over the runs of all agents."""
    independent: float | None
    """`statistics.independent_tasks` over the agents; None where it cannot be told."""
    independent_interval: tuple[float, float] | None
    """Of 95 %."""
    why_not: str | None
    """Why it cannot be told: a sentence."""


def find_tasks(
    names: Sequence[str],
    runs: Mapping[str, Sequence[RunResult]],
    agents: Sequence[AgentSummary],
    facts: Mapping[str, CompetitionFacts],
    counting: Counting,
    registry: Registry | None,
) -> Iterator[TaskSummary]:
    """Yield what each competition tells; `runs` are those of each agent."""
    of_tasks: dict[str, list[RunResult]] = {name: [] for name in names}
    for agent in agents:
        for (name, _), run in entered_runs(runs[agent.agent], agent, counting).items():
            of_tasks[name].append(run)
    for name, attempts in of_tasks.items():
        medals = sum(run.medal is not None for run in attempts)
        yield TaskSummary(
            competition=name,
            attempts=len(attempts),
            medals=medals,
            medalists=_medalists(medals, len(attempts)),
            problems=facts[name].problems,
            shape=_shape(name, registry),
        )


def _medalists(medals: int, attempts: int) -> Literal["nobody", "some", "everybody"] | None:
    if not attempts:
        return None
    return "nobody" if not medals else "everybody" if medals == attempts else "some"


def weigh_tasks(
    tasks: Sequence[TaskSummary],
    runs: Mapping[str, Sequence[RunResult]],
    agents: Sequence[AgentSummary],
    counting: Counting,
) -> TaskSet:
    """Return how much the competitions tell together."""
    tried = [task for task in tasks if task.attempts]
    (independent, interval), why_not = _independent(runs, agents, counting)
    return TaskSet(
        competitions=len(tried),
        nobody=sum(task.medalists == "nobody" for task in tried),
        everybody=sum(task.medalists == "everybody" for task in tried),
        telling=statistics.telling_tasks([task.medals / task.attempts for task in tried]),
        independent=None if why_not else independent,
        independent_interval=None if why_not else interval,
        why_not=why_not,
    )


def _independent(
    runs: Mapping[str, Sequence[RunResult]], agents: Sequence[AgentSummary], counting: Counting
) -> tuple[tuple[float, tuple[float, float]], str | None]:
    nothing = (math.nan, (math.nan, math.nan))
    comparable = [agent for agent in agents if len(agent.seeds_counted) > 1]
    fewest = statistics.FEWEST_AGENTS
    if len(comparable) < fewest:
        return nothing, f"It takes {fewest} agents with two seeds each, and there are {len(comparable)}."
    shared = set.intersection(*(set(agent.competitions) for agent in comparable))
    names = [name for name in comparable[0].competitions if name in shared]
    if len(names) < 2:
        return nothing, "The agents share fewer than two competitions."
    rates, noise = np.zeros((2, len(comparable), len(names)))
    for row, agent in enumerate(comparable):
        seeds = len(agent.seeds_counted)
        entered = entered_runs(runs[agent.agent], agent, counting)
        medals = {place for place, run in entered.items() if run.medal is not None}
        rates[row] = [sum((name, seed) in medals for seed in agent.seeds_counted) / seeds for name in names]
        noise[row] = rates[row] * (1 - rates[row]) / (seeds - 1)
    found = statistics.independent_tasks(rates, noise)
    return found, "The agents differ no more than seeds do." if math.isnan(found[0]) else None


def _shape(name: str, registry: Registry | None) -> LeaderboardShape | None:
    competition = find_competition(name, registry)
    if competition is None:
        return None
    try:
        return leaderboard_shape(competition.standings)
    except (DeclarationError, OSError):
        return None


def leaderboard_shape(board: Leaderboard) -> LeaderboardShape:
    """Return how the teams of a leaderboard lie around its thresholds."""
    scores = np.array(board.scores)
    at = board.thresholds
    lower, upper = np.quantile(scores, [0.25, 0.75])
    spread = float(upper - lower)
    reach = abs(at.gold - at.bronze)
    ordered = np.quantile(scores, np.linspace(0, 1, QUANTILES))
    return LeaderboardShape(
        gold_to_bronze=reach / spread if spread > 0 else None,
        gold_to_median=abs(at.gold - at.median) / spread if spread > 0 else None,
        crowding=100 * float(np.mean(np.abs(scores - at.bronze) <= reach)),
        tied=(_tied(scores, at.gold), _tied(scores, at.silver), _tied(scores, at.bronze)),
        quantiles=tuple(float(f"{score:.6g}") for score in (ordered[::-1] if board.lower_is_better else ordered)),
    )


def _tied(scores: np.ndarray[tuple[int], np.dtype[np.float64]], threshold: float) -> int:
    return int((scores == threshold).sum())
