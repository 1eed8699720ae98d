"""From the runs of an agent to a row of the main table."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from mlebench.analysis import statistics
from mlebench.analysis.agent_summary import AgentSummary, Rule
from mlebench.analysis.estimates import Rate, RateEstimate

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from mlebench.analysis.counting import Counting
    from mlebench.analysis.results import RunResult


def summarize_agent(
    name: str, runs: Sequence[RunResult], counted: Collection[str], counting: Counting, *, part: bool = False
) -> AgentSummary:
    """Summarize one agent over the competitions that count.

    For a part of the competitions, what only the whole is asked about is left out: intervals over competitions, and
    what several attempts bring.
    """
    known = {run.competition for run in runs} & set(counted)
    if counting.competitions is None:
        competitions = sorted(known, key=str.casefold)
    else:
        competitions = [id for id in counting.competitions if id in known or counting.pad_missing]
    place = {competition: row for row, competition in enumerate(competitions)}
    made: dict[int, dict[str, RunResult]] = defaultdict(dict)
    for run in runs:
        if counting.admits(run) and run.competition in place:
            made[run.seed][run.competition] = run
    seeds = sorted({run.seed for run in runs})
    complete = [seed for seed in seeds if competitions and len(made[seed]) == len(competitions)]
    begun = [seed for seed in seeds if made[seed]]
    if counting.pad_missing:
        rule, used = Rule.PADDED, begun
    else:
        rule, used = (Rule.COMPLETE, complete) if complete else (Rule.ALL, begun)

    entered = [[made[seed].get(competition) for seed in used] for competition in competitions]
    attempts = [run for row in entered for run in row if run is not None]
    gaps = len(competitions) * len(used) - len(attempts)
    held = _held(entered, len(used), list(Rate))
    finished = sum(run.finished for run in runs)
    return AgentSummary(
        agent=name,
        rates=dict(zip(Rate, RateEstimate.of(held, clustered=not part), strict=True)),
        seeds=tuple(seeds),
        seeds_counted=tuple(used),
        rule=rule,
        competitions=tuple(competitions),
        runs=len(runs),
        runs_finished=finished,
        runs_missing=max(len(runs) - finished, gaps),
        runs_left_over=sum(map(counting.admits, runs)) - len(attempts),
        runs_padded=gaps,
        pass_at_k=() if part else _pass_at_k(held[list(Rate).index(Rate.ANY_MEDAL)]),
        best_of_k=() if part else _best_of_k(entered),
    )


def estimate_rates(
    entered: Mapping[tuple[str, int], RunResult],
    competitions: Sequence[str],
    seeds: Sequence[int],
    rates: Sequence[Rate],
) -> dict[Rate, RateEstimate]:
    """Return rates over some competitions and seeds, a missing run counting as nothing submitted."""
    rows = [[entered.get((name, seed)) for seed in seeds] for name in competitions]
    return dict(zip(rates, RateEstimate.of(_held(rows, len(seeds), rates)), strict=True))


def medals_by_competition(
    runs: Sequence[RunResult], agent: AgentSummary, rate: Rate = Rate.ANY_MEDAL
) -> dict[str, float]:
    """Return the percentage of an agent's counted seeds in which a rate holds, for each of its competitions."""
    held = dict.fromkeys(agent.competitions, 0)
    for run in runs:
        if run.agent == agent.agent and run.competition in held and run.seed in agent.seeds_counted:
            held[run.competition] += rate.holds(run)
    return {name: 100 * number / max(1, len(agent.seeds_counted)) for name, number in held.items()}


def _held(entered: list[list[RunResult | None]], seeds: int, rates: Sequence[Rate]) -> NDArray[np.float64]:
    """Return whether each rate holds for each run, of shape (n_rates, n_competitions, n_seeds)."""
    nothing = (False,) * len(rates)
    held = [[nothing if run is None else [rate.holds(run) for rate in rates] for run in row] for row in entered]
    return np.array(held, dtype=np.float64).reshape(len(entered), seeds, len(rates)).transpose(2, 0, 1)


def _pass_at_k(medals: NDArray[np.float64]) -> tuple[float, ...]:
    if not medals.size:
        return ()
    seeds = medals.shape[1]
    successes = medals.sum(axis=1).astype(int).tolist()
    return tuple(
        100 * sum(statistics.pass_at_k(seeds, count, k) for count in successes) / len(successes)
        for k in range(1, seeds + 1)
    )


def _best_of_k(entered: list[list[RunResult | None]]) -> tuple[float, ...]:
    values = []
    for row in entered:
        scores = [run.normalized_score if run is not None and run.valid else 0.0 for run in row]
        if None in scores:
            return ()
        values.append(np.nan_to_num(np.clip(np.array(scores, dtype=np.float64), 0, 1)))
    seeds = len(values[0]) if values else 0
    return tuple(float(np.mean([statistics.best_of_k(scores, k) for scores in values])) for k in range(1, seeds + 1))
