"""The leaderboards that runs are ranked on, and ranks for scores of grading reports that have none."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mlebench.errors import DeclarationError, UnknownNameError
from mlebench.grading.judge import normalized_score
from mlebench.tasks.medals import Thresholds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mlebench.analysis.grading_reports import GradedRow, GradingReport
    from mlebench.analysis.model import RunResult
    from mlebench.analysis.sources import Sources
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.registry import Registry

THRESHOLDS = ("gold", "silver", "bronze", "median")


@dataclass(frozen=True, slots=True)
class Standing:
    """The leaderboard of a competition, by its thresholds."""

    thresholds: Thresholds
    lower_is_better: bool
    leaderboard: Literal["human", "models"]
    """Who competed."""
    teams: int | None
    """None if a report does not say and the competition is unknown here."""


def find_standings(sources: Sources, registry: Registry | None) -> dict[str, Standing]:
    """Return the leaderboard of each competition, by label: from verdicts, else from the first report that has one."""
    found: dict[str, Standing] = {}
    for report in sources.reports:
        for row in report.rows:
            if row.competition not in found:
                standing = _row_standing(row, find_competition(row.competition, registry))
                if standing:
                    found[row.competition] = standing
    for group in sources.groups:
        for run in group.runs:
            if verdict := run.verdict:
                thresholds = Thresholds(*(getattr(verdict, f"{name}_threshold") for name in THRESHOLDS))
                standing = Standing(thresholds, verdict.lower_is_better, verdict.leaderboard, verdict.teams)
                found[run.ref.label] = standing
    return found


def _row_standing(row: GradedRow, competition: Competition | None) -> Standing | None:
    values = [getattr(row, f"{name}_threshold") for name in THRESHOLDS]
    if None in values or row.is_lower_better is None:
        return None
    declared = competition.declaration.field if competition and competition.declaration else "human"
    teams = row.teams or (len(competition.standings.scores) if competition else None)
    return Standing(Thresholds(*values), row.is_lower_better, row.leaderboard or declared, teams)


def differing_thresholds(reports: Sequence[GradingReport], registry: Registry | None) -> list[str]:
    """Return the ids of competitions for which a report has other thresholds than the leaderboard here."""
    differing = set()
    for report in reports:
        for row in report.rows:
            standing, competition = _row_standing(row, None), find_competition(row.competition_id, registry)
            if standing and competition and standing.thresholds != competition.standings.thresholds:
                differing.add(row.competition_id)
    return sorted(differing)


def rank_runs(runs: Iterable[RunResult], registry: Registry | None) -> list[RunResult]:
    """Return the runs; those with a score and no rank get rank, percentile and normalised score."""
    return [_rank(run, find_competition(run.competition, registry)) for run in runs]


def _rank(run: RunResult, competition: Competition | None) -> RunResult:
    if run.rank is not None or run.score is None or competition is None or math.isnan(run.score):
        return run
    leaderboard = competition.standings
    return run.model_copy(
        update={
            "rank": leaderboard.rank(run.score),
            "teams": len(leaderboard.scores),
            "percentile": leaderboard.percentile(run.score),
            "normalized_score": normalized_score(run.score, competition),
        }
    )


@functools.lru_cache(maxsize=256)
def find_competition(label: str, registry: Registry | None) -> Competition | None:
    """Return a competition, or None if it is unknown here."""
    if registry is None:
        return None
    try:
        return registry.get_competition(label)
    except (UnknownNameError, DeclarationError, OSError):
        return None
