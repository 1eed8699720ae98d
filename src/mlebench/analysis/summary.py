"""From run groups to the content of `report.json`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from mlebench.analysis.caveats import find_caveats
from mlebench.analysis.report import (
    AgentSummary,
    CellSummary,
    CompetitionSummary,
    Estimate,
    GroupSummary,
    Rate,
    Summary,
    ThresholdsSummary,
)
from mlebench.analysis.results import RunResult, collect_runs, competition_label
from mlebench.reports import now

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.reports import Verdict
    from mlebench.runs.record import GroupRecord

__all__ = ["Summary", "summarize"]


def summarize(groups: Sequence[GroupRecord]) -> Summary:
    """Summarize run groups.

    Each seed gives one percentage a column, over the agent's competitions; a column's value is their mean
    with its standard error. Competitions that have only runs on rehearsal data stay out of the means, unless
    there is nothing else, in which case `basis` says so.
    """
    runs = collect_runs(groups)
    finished = [run for run in runs if run.finished]
    basis: Literal["results", "rehearsal"] = (
        "rehearsal" if finished and all(run.is_rehearsal for run in finished) else "results"
    )
    names = sorted({run.competition for run in runs}, key=str.casefold)
    counted = {name for name in names if basis == "rehearsal" or not _only_rehearsed(name, finished)}
    agent_names = list(dict.fromkeys(run.agent for run in runs))
    agents = [_agent(name, [run for run in runs if run.agent == name], counted, basis) for name in agent_names]
    verdicts = _verdicts(groups)
    competitions = [
        _competition(name, [run for run in runs if run.competition == name], verdicts.get(name), name in counted)
        for name in names
    ]
    return Summary(
        created_at=now(),
        basis=basis,
        runs=len(runs),
        runs_finished=len(finished),
        runs_counted=sum(not run.is_rehearsal for run in finished),
        caveats=tuple(find_caveats(groups, runs, agents)),
        groups=tuple(_group(group) for group in groups),
        agents=tuple(agents),
        competitions=tuple(competitions),
    )


def _only_rehearsed(competition: str, finished: list[RunResult]) -> bool:
    runs = [run for run in finished if run.competition == competition]
    return bool(runs) and all(run.is_rehearsal for run in runs)


def _agent(name: str, runs: list[RunResult], counted: set[str], basis: str) -> AgentSummary:
    entering = [run for run in runs if run.competition in counted]
    competitions = sorted({run.competition for run in entering}, key=str.casefold)
    seeds = sorted({run.seed for run in runs})
    made = {
        seed: [
            run
            for run in entering
            if run.seed == seed and run.finished and (basis == "rehearsal" or not run.is_rehearsal)
        ]
        for seed in seeds
    }
    complete = [seed for seed in seeds if competitions and len(made[seed]) == len(competitions)]
    seeds_counted = complete or [seed for seed in seeds if made[seed]]
    rates = {
        rate: Estimate.over([100 * sum(map(rate.holds, made[seed])) / len(competitions) for seed in seeds_counted])
        for rate in Rate
    }
    finished = sum(run.finished for run in runs)
    return AgentSummary(
        agent=name,
        rates=rates,
        seeds=tuple(seeds),
        seeds_counted=tuple(seeds_counted),
        rule="complete seeds" if complete else "all seeds",
        competitions=tuple(competitions),
        runs=len(runs),
        runs_finished=finished,
        runs_missing=len(runs) - finished,
    )


def _verdicts(groups: Sequence[GroupRecord]) -> dict[str, Verdict]:
    return {
        competition_label(run.competition_id, run.version): run.verdict
        for group in groups
        for run in group.runs.values()
        if run.verdict
    }


def _competition(name: str, runs: list[RunResult], verdict: Verdict | None, counted: bool) -> CompetitionSummary:
    agents = dict.fromkeys(run.agent for run in runs)
    lower_is_better = verdict.lower_is_better if verdict else False
    return CompetitionSummary(
        competition=name,
        counted=counted,
        lower_is_better=verdict.lower_is_better if verdict else None,
        leaderboard=verdict.leaderboard if verdict else None,
        teams=verdict.teams if verdict else None,
        thresholds=ThresholdsSummary(
            gold=verdict.gold_threshold,
            silver=verdict.silver_threshold,
            bronze=verdict.bronze_threshold,
            median=verdict.median_threshold,
        )
        if verdict
        else None,
        cells=tuple(_cell(agent, [run for run in runs if run.agent == agent], lower_is_better) for agent in agents),
    )


def _cell(agent: str, runs: list[RunResult], lower_is_better: bool) -> CellSummary:
    scores = [run.score for run in runs if run.valid and run.score is not None and math.isfinite(run.score)]
    best = (min if lower_is_better else max)(scores, default=None)
    return CellSummary(
        agent=agent,
        runs=tuple(sorted(runs, key=lambda run: run.seed)),
        score=Estimate.over(scores),
        best_score=best,
    )


def _group(group: GroupRecord) -> GroupSummary:
    return GroupSummary(
        **{name: getattr(group, name) for name in ("run_group", "created_at", "mlebench_version", "machine")},
        sandbox=group.plan.sandbox,
        network=group.plan.network,
        obfuscated=group.plan.obfuscated,
        guarantees=group.guarantees,
    )
