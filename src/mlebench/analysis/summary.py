"""From run groups and grading reports to the content of `report.json`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from mlebench.analysis.breakdowns import break_down
from mlebench.analysis.caveats import find_caveats
from mlebench.analysis.comparisons import compare
from mlebench.analysis.counting import Counting
from mlebench.analysis.curves import find_curves
from mlebench.analysis.estimates import Estimate
from mlebench.analysis.facts import find_facts
from mlebench.analysis.problems import check_kinds, left_out_by, without_problems
from mlebench.analysis.rates import summarize_agent
from mlebench.analysis.report import CellSummary, CompetitionSummary, GroupSummary, ReportSummary, Summary
from mlebench.analysis.results import collect_runs
from mlebench.analysis.standings import find_standings, placed
from mlebench.analysis.tasks import find_tasks, weigh_tasks
from mlebench.ground.clock import now

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from mlebench.analysis.facts import CompetitionFacts
    from mlebench.analysis.gradings import GradingReport
    from mlebench.analysis.results import RunResult
    from mlebench.analysis.standings import Standing
    from mlebench.runs.record import GroupRecord
    from mlebench.tasks.registry import Registry

__all__ = ["Summary", "summarize"]


def summarize(
    groups: Sequence[GroupRecord],
    gradings: Sequence[GradingReport] = (),
    *,
    registry: Registry | None = None,
    competitions: Sequence[str] | None = None,
    pad_missing: bool = False,
    group_by: str | None = None,
    labels: Mapping[str, str] | None = None,
    without: Collection[str] = (),
    folders: Sequence[Path] = (),
) -> Summary:
    """Summarize run groups and grading reports.

    Each seed gives one percentage a column, over the agent's competitions; a column's value is their mean
    with its errors. Competitions that have only runs on rehearsal data stay out of the means, unless
    there is nothing else, in which case `basis` says so.

    Parameters
    ----------
    groups, gradings : sequences
        What `read_sources` found.
    registry : Registry, optional
        Where complexity, category, year and leaderboards of competitions are looked up.
    competitions : sequence of str, optional
        The competitions that count, such as those of a split; by default those that an agent has runs of.
    pad_missing : bool
        Whether missing runs count as failures, instead of leaving out the seeds that lack them.
    group_by : str, optional
        A field of the records; runs of an agent that differ in it are taken for those of different agents.
    labels : mapping, optional
        Categories by competition id, which go before the registry's.
    without : collection of str
        Kinds of known problems, such as `leak`: competitions that have one do not count, and the report says so.
    folders : sequence of paths
        Those of the groups: curves are read there.

    Raises
    ------
    UsageError
        If a field or a kind of problem does not exist.
    ReportError
        If a curve is damaged.
    """
    check_kinds(without)
    runs = placed(collect_runs(groups, gradings, group_by=group_by, folders=folders), registry)
    finished = [run for run in runs if run.finished]
    basis: Literal["results", "rehearsal"] = (
        "rehearsal" if finished and all(run.is_rehearsal for run in finished) else "results"
    )
    of_agents: dict[str, list[RunResult]] = {}
    of_competitions: dict[str, list[RunResult]] = {}
    for run in runs:
        of_agents.setdefault(run.agent, []).append(run)
        of_competitions.setdefault(run.competition, []).append(run)
    names = sorted(of_competitions, key=str.casefold)
    counted = {name for name in names if basis == "rehearsal" or not _only_rehearsed(of_competitions[name])}
    wanted = None if competitions is None else tuple(dict.fromkeys(competitions))
    if wanted is not None:
        counted &= set(wanted)
    facts = find_facts([*names, *(name for name in wanted or () if name not in of_competitions)], registry, labels)
    left_out = left_out_by(without, facts)
    counted -= set(left_out)
    if wanted is not None:
        wanted = tuple(name for name in wanted if name not in left_out)
    counting = Counting(wanted, pad_missing, rehearsal=basis == "rehearsal")
    agents = [summarize_agent(name, of_it, counted, counting) for name, of_it in of_agents.items()]
    standings = find_standings(groups, gradings, registry)
    tasks = tuple(find_tasks([name for name in facts if name in counted], of_agents, agents, facts, counting, registry))
    return Summary(
        created_at=now(),
        basis=basis,
        runs=len(runs),
        runs_finished=len(finished),
        runs_counted=sum(not run.is_rehearsal for run in finished),
        caveats=tuple(find_caveats(groups, gradings, runs, agents, registry, left_out)),
        groups=tuple(_group(group) for group in groups),
        reports=tuple(ReportSummary(name=one.name, agent=one.agent, rows=len(one.rows)) for one in gradings),
        agents=tuple(agents),
        comparisons=tuple(compare(of_agents, agents)),
        breakdowns=tuple(break_down(of_agents, agents, facts, counted, counting)),
        curves=tuple(find_curves(of_agents, agents, counting, registry)),
        task_set=weigh_tasks(tasks, of_agents, agents, counting) if any(task.attempts for task in tasks) else None,
        tasks=tasks,
        problems=tuple(without_problems(of_agents, agents, facts, counting)),
        left_out=left_out,
        competitions=tuple(
            _competition(name, of_competitions[name], standings.get(name), facts[name], name in counted)
            for name in names
        ),
    )


def _only_rehearsed(runs: list[RunResult]) -> bool:
    finished = [run for run in runs if run.finished]
    return bool(finished) and all(run.is_rehearsal for run in finished)


def _competition(
    name: str, runs: list[RunResult], standing: Standing | None, facts: CompetitionFacts, counted: bool
) -> CompetitionSummary:
    of_agents: dict[str, list[RunResult]] = {}
    for run in runs:
        of_agents.setdefault(run.agent, []).append(run)
    lower_is_better = standing.lower_is_better if standing else False
    return CompetitionSummary(
        competition=name,
        counted=counted,
        lower_is_better=standing.lower_is_better if standing else None,
        leaderboard=standing.leaderboard if standing else None,
        teams=standing.teams if standing else None,
        thresholds=standing.thresholds if standing else None,
        facts=facts,
        cells=tuple(_cell(agent, of_it, lower_is_better) for agent, of_it in of_agents.items()),
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
