"""The leaderboards that runs were measured against, and where scores of others' reports stand on ours."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from mlebench.analysis.results import RunResult, competition_label
from mlebench.errors import DeclarationError, UnknownNameError
from mlebench.grading.judge import normalized_score
from mlebench.tasks.medals import Thresholds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mlebench.analysis.gradings import GradedRow, GradingReport
    from mlebench.runs.record import GroupRecord
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.registry import Registry

FIELDS = ("gold", "silver", "bronze", "median")


class Standing(BaseModel):
    """What a competition's medals take."""

    model_config = ConfigDict(frozen=True)

    gold: float
    silver: float
    bronze: float
    median: float
    lower_is_better: bool
    leaderboard: Literal["human", "models"]
    """Who stands on it."""
    teams: int | None
    """None where a report does not say, and the competition is not known here."""

    @property
    def thresholds(self) -> Thresholds:
        return Thresholds(self.gold, self.silver, self.bronze, self.median)


def find_standings(
    groups: Sequence[GroupRecord], gradings: Sequence[GradingReport], registry: Registry | None
) -> dict[str, Standing]:
    """Return the leaderboard of each competition with a verdict or with thresholds in a report; the last one counts."""
    found: dict[str, Standing] = {}
    for grading in gradings:
        for row in grading.rows:
            name = competition_label(row.competition_id, row.version)
            standing = None if name in found else _of_row(row, find_competition(name, registry))
            if standing:
                found[name] = standing
    for group in groups:
        for run in group.runs.values():
            if run.verdict:
                thresholds = {name: getattr(run.verdict, f"{name}_threshold") for name in FIELDS}
                others = {name: getattr(run.verdict, name) for name in ("lower_is_better", "leaderboard", "teams")}
                found[competition_label(run.competition_id, run.version)] = Standing(**thresholds, **others)
    return found


def _of_row(row: GradedRow, competition: Competition | None) -> Standing | None:
    thresholds = {name: getattr(row, f"{name}_threshold") for name in FIELDS}
    if None in thresholds.values() or row.is_lower_better is None:
        return None
    field = competition.declaration.field if competition and competition.declaration else "human"
    return Standing(
        **thresholds,
        lower_is_better=row.is_lower_better,
        leaderboard=row.leaderboard or field,
        teams=row.teams or (len(competition.standings.scores) if competition else None),
    )


def differing_thresholds(gradings: Sequence[GradingReport], registry: Registry | None) -> list[str]:
    """Return the competitions for which a report's thresholds are not those of the leaderboard here."""
    differing = set()
    for grading in gradings:
        for row in grading.rows:
            standing, competition = _of_row(row, None), find_competition(row.competition_id, registry)
            if standing and competition and standing.thresholds != competition.standings.thresholds:
                differing.add(row.competition_id)
    return sorted(differing)


def placed(runs: Iterable[RunResult], registry: Registry | None) -> list[RunResult]:
    """Return the runs, with rank, percentile and normalised score where a report has a score and does not say them."""
    return [_placed(run, find_competition(run.competition, registry)) for run in runs]


def _placed(run: RunResult, competition: Competition | None) -> RunResult:
    if run.rank is not None or run.score is None or competition is None or math.isnan(run.score):
        return run
    board = competition.standings
    return run.model_copy(
        update={
            "rank": board.rank(run.score),
            "teams": len(board.scores),
            "percentile": board.percentile(run.score),
            "normalized_score": normalized_score(run.score, competition),
        }
    )


@functools.lru_cache(maxsize=256)
def find_competition(name: str, registry: Registry | None) -> Competition | None:
    """Return a competition by its label, or None where it is not known here."""
    if registry is None:
        return None
    try:
        return registry.get_competition(name)
    except (UnknownNameError, DeclarationError, OSError):
        return None
