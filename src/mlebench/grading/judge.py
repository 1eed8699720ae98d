"""Judging a submission file: its score, its medal, and everything else that is known about the result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.data import data_source, require_prepared
from mlebench.grading.reports import Verdict
from mlebench.grading.scoring import score_submission
from mlebench.ground.clock import now

if TYPE_CHECKING:
    from mlebench.tasks.competition import Competition


def judge(path: Path | str, competition: Competition) -> Verdict:
    """Grade a submission file and say everything that is known about the result.

    Raises NotPreparedError when the competition's answers are not there; nothing else.
    """
    path = Path(path)
    require_prepared(competition, grading_only=True)
    scoring = score_submission(path, competition)
    score = scoring.score
    if score is not None and not competition.grader.exact:
        score = round(score, 5)
    standings = competition.standings
    thresholds = standings.thresholds
    return Verdict(
        competition_id=competition.id,
        version=competition.version,
        outcome=scoring.outcome,
        reason=scoring.reason,
        score=score,
        unrounded_score=scoring.score,
        medal=None if score is None else standings.medal(score),
        above_median=score is not None and standings.above_median(score),
        rank=None if score is None else standings.rank(score),
        teams=len(standings.scores),
        percentile=None if score is None else standings.percentile(score),
        normalized_score=normalized_score(score, competition),
        gold_threshold=thresholds.gold,
        silver_threshold=thresholds.silver,
        bronze_threshold=thresholds.bronze,
        median_threshold=thresholds.median,
        lower_is_better=competition.lower_is_better,
        leaderboard=competition.declaration.field if competition.declaration else "human",
        data=data_source(competition),
        submission_path=str(path),
        submission_sha256=scoring.sha256,
        graded_at=now(),
    )


def normalized_score(score: float | None, competition: Competition) -> float | None:
    """Return where a score lies between the sample submission's (0) and the gold threshold (1)."""
    sample = competition.declaration.sample_score if competition.declaration else None
    gold = competition.standings.thresholds.gold
    if score is None or sample is None or sample == gold:
        return None
    return (score - sample) / (gold - sample) + 0.0  # never -0.0
