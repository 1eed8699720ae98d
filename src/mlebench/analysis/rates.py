"""From the runs of an agent to its row of the main table."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from mlebench.analysis import statistics
from mlebench.analysis.estimates import estimate_rates
from mlebench.analysis.model import AgentSummary, Rate, Rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mlebench.analysis.evaluation import Selection
    from mlebench.analysis.model import RunResult

Grid = list[list["RunResult | None"]]
"""Runs by competition (rows) and seed (columns); None for a missing run."""


def summarize_agent(
    name: str, runs: Sequence[RunResult], selection: Selection, *, is_part: bool = False
) -> AgentSummary:
    """Summarize one agent over the competitions that count.

    Parameters
    ----------
    name : str
        The agent.
    runs : sequence of RunResult
        All its runs, those that do not count included.
    selection : Selection
        Which of them enter the means.
    is_part : bool
        Whether this is a row of a breakdown, which has neither intervals over competitions nor pass@k.
    """
    competitions = selection.competitions_of(runs)
    by_seed: dict[int, dict[str, RunResult]] = defaultdict(dict)
    for run in runs:
        if selection.admits(run) and run.competition in competitions:
            by_seed[run.seed][run.competition] = run
    seeds = sorted({run.seed for run in runs})
    rule, counted = _count_seeds(seeds, by_seed, len(competitions), pad_missing=selection.pad_missing)

    grid: Grid = [[by_seed[seed].get(competition) for seed in counted] for competition in competitions]
    entered = sum(run is not None for row in grid for run in row)
    missing = len(competitions) * len(counted) - entered
    successes = success_matrix(grid, len(counted), list(Rate))
    finished = sum(run.finished for run in runs)
    return AgentSummary(
        agent=name,
        rates=dict(zip(Rate, estimate_rates(successes, clustered=not is_part), strict=True)),
        seeds=tuple(seeds),
        seeds_counted=tuple(counted),
        rule=rule,
        competitions=tuple(competitions),
        runs=len(runs),
        runs_finished=finished,
        runs_missing=max(len(runs) - finished, missing),
        runs_left_over=sum(map(selection.admits, runs)) - entered,
        runs_padded=missing,
        pass_at_k=() if is_part else _pass_at_k(successes[list(Rate).index(Rate.ANY_MEDAL)]),
        best_of_k=() if is_part else _best_of_k(grid),
    )


def _count_seeds(
    seeds: list[int], by_seed: dict[int, dict[str, RunResult]], competitions: int, *, pad_missing: bool
) -> tuple[Rule, list[int]]:
    """Return which seeds enter the means, and by which rule."""
    begun = [seed for seed in seeds if by_seed[seed]]
    complete = [seed for seed in begun if len(by_seed[seed]) == competitions]
    if pad_missing:
        return Rule.PADDED, begun
    return (Rule.COMPLETE, complete) if complete else (Rule.ALL, begun)


def success_matrix(grid: Grid, seeds: int, rates: Sequence[Rate]) -> NDArray[np.float64]:
    """Return whether each rate holds for each run, of shape (n_rates, n_competitions, n_seeds)."""
    missing = [False] * len(rates)
    held = [[missing if run is None else [rate.holds(run) for rate in rates] for run in row] for row in grid]
    return np.array(held, dtype=np.float64).reshape(len(grid), seeds, len(rates)).transpose(2, 0, 1)


def _pass_at_k(medals: NDArray[np.float64]) -> tuple[float, ...]:
    if not medals.size:
        return ()
    seeds = medals.shape[1]
    successes = medals.sum(axis=1).astype(int).tolist()
    return tuple(
        100 * sum(statistics.pass_at_k(seeds, count, k) for count in successes) / len(successes)
        for k in range(1, seeds + 1)
    )


def _best_of_k(grid: Grid) -> tuple[float, ...]:
    values = []
    for row in grid:
        scores = [run.normalized_score if run is not None and run.valid else 0.0 for run in row]
        if None in scores:
            return ()
        values.append(np.nan_to_num(np.clip(np.array(scores, dtype=np.float64), 0, 1)))
    seeds = len(values[0]) if values else 0
    return tuple(float(np.mean([statistics.best_of_k(scores, k) for scores in values])) for k in range(1, seeds + 1))
