"""How much of a difference between two versions of the tasks comes from grading, and how much from the data."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from mlebench.analysis import statistics
from mlebench.analysis.estimates import interval_or_none
from mlebench.analysis.model import Difference, Rate, VersionEffect
from mlebench.grading.reports import Outcome
from mlebench.tasks.ref import TaskRef, Version

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mlebench.analysis.evaluation import Evaluation
    from mlebench.analysis.model import RunResult

RATES = (Rate.ABOVE_MEDIAN, Rate.ANY_MEDAL)


def compare_versions(evaluation: Evaluation) -> Iterator[VersionEffect]:
    """Yield what changes from v1 to v2, for each agent with runs of competitions in both versions.

    The rules of v2 on the data of v1, from `regrade --rules v2`, stand between the two: from v1 to there the difference
    is one of grading, and from there to v2 one of data.
    """
    for agent, runs in evaluation.runs.items():
        by_label: dict[str, list[RunResult]] = defaultdict(list)
        for run in runs:
            if run.competition in evaluation.selection.counted and evaluation.selection.admits(run):
                by_label[run.competition].append(run)
        second = {label: TaskRef(label, Version.V2).label for label in by_label}
        both = {label: (by_label[label], by_label[other]) for label, other in second.items() if other in by_label}
        for rate in RATES if both else ():
            yield _effect(agent, rate, both)


def _effect(agent: str, rate: Rate, runs: Mapping[str, tuple[list[RunResult], list[RunResult]]]) -> VersionEffect:
    v1, v2 = ([_percent(rate, pair[place]) for pair in runs.values()] for place in (0, 1))
    regraded = [_regraded(first) for first, _ in runs.values()]
    comparable = [place for place, found in enumerate(regraded) if found]
    rules = [_percent(rate, regraded[place]) for place in comparable]
    return VersionEffect(
        agent=agent,
        rate=rate,
        competitions=tuple(runs),
        regraded=len(comparable),
        v1=statistics.mean(v1),
        v2=statistics.mean(v2),
        total=_difference(v2, v1),
        grading=_difference(rules, [v1[place] for place in comparable]) if comparable else None,
        data=_difference([v2[place] for place in comparable], rules) if comparable else None,
    )


def _regraded(runs: Sequence[RunResult]) -> list[RunResult]:
    """Return runs as the rules of v2 grade them on their own data; none if one of them has no such verdict."""
    found = [run.by_rules_of_v2 for run in runs]
    if any(verdict is None or verdict.outcome is Outcome.FAILED for verdict in found):
        return []
    return [verdict for verdict in found if verdict is not None]


def _percent(rate: Rate, runs: Sequence[RunResult]) -> float:
    return 100 * sum(rate.holds(run) for run in runs) / len(runs)


def _difference(after: Sequence[float], before: Sequence[float]) -> Difference:
    paired = statistics.compare_paired(after, before)
    return Difference(mean=paired.difference, interval=interval_or_none(paired.interval))
