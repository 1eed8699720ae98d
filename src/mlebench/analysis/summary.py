"""From run groups and grading reports to the content of `report.json`."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

from mlebench.analysis.breakdowns import break_down
from mlebench.analysis.caveats import find_caveats
from mlebench.analysis.comparisons import compare_agents
from mlebench.analysis.curves import find_curves, read_curves
from mlebench.analysis.estimates import estimate_mean
from mlebench.analysis.evaluation import Evaluation, Selection
from mlebench.analysis.facts import find_facts
from mlebench.analysis.headline import find_headline
from mlebench.analysis.model import CellSummary, CompetitionSummary, GroupSummary, ReportSummary, Summary
from mlebench.analysis.problems import check_kinds, competitions_with, without_problems
from mlebench.analysis.rates import summarize_agent
from mlebench.analysis.results import collect_runs
from mlebench.analysis.standings import find_standings, rank_runs
from mlebench.analysis.tasks import find_tasks, weigh_tasks
from mlebench.analysis.versions import compare_versions
from mlebench.ground.clock import now

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from mlebench.analysis.model import CompetitionFacts, RunResult
    from mlebench.analysis.sources import Sources
    from mlebench.analysis.standings import Standing
    from mlebench.runs.record import GroupRecord
    from mlebench.tasks.registry import Registry


def summarize(
    sources: Sources,
    *,
    registry: Registry | None = None,
    competitions: Sequence[str] | None = None,
    pad_missing: bool = False,
    group_by: str | None = None,
    categories: Mapping[str, str] | None = None,
    without: Collection[str] = (),
) -> Summary:
    """Summarize run groups and grading reports.

    Each seed has one percentage per column, over the agent's competitions. The value of a column is the mean over
    seeds, with its errors. Competitions that have only runs on rehearsal data stay out of the means, unless there is
    nothing else; then `basis` is `rehearsal`.

    Parameters
    ----------
    sources : Sources
        What `read_sources` returns.
    registry : Registry, optional
        Where the complexity, category, year and leaderboard of competitions are looked up.
    competitions : sequence of str, optional
        The competitions that count, such as those of a split; by default those that an agent has runs of.
    pad_missing : bool
        Whether missing runs count as failures. If not, seeds with missing runs are left out.
    group_by : str, optional
        A field of `run.json` or `metadata.json`; runs of an agent with different values become different agents.
    categories : mapping, optional
        Categories by competition id, instead of the declared ones.
    without : collection of str
        Kinds of known problems, such as `leak`: competitions that have one do not count.

    Raises
    ------
    UsageError
        There is no such field, or no such kind of problem.
    """
    check_kinds(without)
    runs = rank_runs(collect_runs(sources, group_by=group_by), registry)
    finished = [run for run in runs if run.finished]
    is_rehearsal = bool(finished) and all(run.is_rehearsal for run in finished)
    by_agent: dict[str, list[RunResult]] = defaultdict(list)
    by_competition: dict[str, list[RunResult]] = defaultdict(list)
    for run in runs:
        by_agent[run.agent].append(run)
        by_competition[run.competition].append(run)
    labels = sorted(by_competition, key=str.casefold)
    requested = None if competitions is None else list(dict.fromkeys(competitions))
    facts = find_facts(dict.fromkeys([*labels, *(requested or ())]), registry, categories)
    left_out = competitions_with(without, facts)
    counted = {label for label in labels if is_rehearsal or not _is_only_rehearsed(by_competition[label])}
    if requested is not None:
        counted &= set(requested)
    selection = Selection(
        counted=frozenset(counted),
        requested=None if requested is None else tuple(requested),
        pad_missing=pad_missing,
        rehearsal=is_rehearsal,
    ).without(left_out)
    agents = tuple(summarize_agent(name, of_agent, selection) for name, of_agent in by_agent.items())
    evaluation = Evaluation(by_agent, agents, facts, selection, registry)
    curve_files = read_curves(evaluation)
    standings = find_standings(sources, registry)
    tasks = tuple(find_tasks(evaluation))
    return Summary(
        created_at=now(),
        basis="rehearsal" if is_rehearsal else "results",
        runs=len(runs),
        runs_finished=len(finished),
        runs_counted=sum(not run.is_rehearsal for run in finished),
        caveats=tuple(find_caveats(sources, evaluation, left_out, curve_files.damages)),
        groups=tuple(_summarize_group(group.record) for group in sources.groups),
        reports=tuple(ReportSummary(name=one.name, agent=one.agent, rows=len(one.rows)) for one in sources.reports),
        agents=agents,
        headline=find_headline(evaluation),
        comparisons=tuple(compare_agents(evaluation)),
        versions=tuple(compare_versions(evaluation)),
        breakdowns=tuple(break_down(evaluation)),
        curves=tuple(find_curves(evaluation, curve_files)),
        task_set=weigh_tasks(tasks, evaluation),
        tasks=tasks,
        problems=tuple(without_problems(evaluation)),
        left_out=left_out,
        competitions=tuple(
            _summarize_competition(
                label, by_competition[label], standings.get(label), facts[label], is_counted=label in selection.counted
            )
            for label in labels
        ),
    )


def _is_only_rehearsed(runs: list[RunResult]) -> bool:
    finished = [run for run in runs if run.finished]
    return bool(finished) and all(run.is_rehearsal for run in finished)


def _summarize_competition(
    label: str, runs: list[RunResult], standing: Standing | None, facts: CompetitionFacts, *, is_counted: bool
) -> CompetitionSummary:
    by_agent: dict[str, list[RunResult]] = defaultdict(list)
    for run in runs:
        by_agent[run.agent].append(run)
    lower_is_better = standing.lower_is_better if standing else False
    return CompetitionSummary(
        competition=label,
        counted=is_counted,
        lower_is_better=standing.lower_is_better if standing else None,
        leaderboard=standing.leaderboard if standing else None,
        teams=standing.teams if standing else None,
        thresholds=standing.thresholds if standing else None,
        facts=facts,
        cells=tuple(_summarize_cell(agent, of_agent, lower_is_better) for agent, of_agent in by_agent.items()),
    )


def _summarize_cell(agent: str, runs: list[RunResult], lower_is_better: bool) -> CellSummary:
    scores = [run.score for run in runs if run.valid and run.score is not None and math.isfinite(run.score)]
    return CellSummary(
        agent=agent,
        runs=tuple(sorted(runs, key=lambda run: run.seed)),
        score=estimate_mean(scores),
        best_score=(min if lower_is_better else max)(scores, default=None),
    )


def _summarize_group(group: GroupRecord) -> GroupSummary:
    return GroupSummary(
        **{name: getattr(group, name) for name in ("run_group", "created_at", "mlebench_version", "machine")},
        sandbox=group.plan.sandbox,
        network=group.plan.network,
        obfuscated=group.plan.obfuscated,
        guarantees=group.guarantees,
        enforcement=group.enforcement,
    )
