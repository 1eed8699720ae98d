"""Judge a submission file: its score, its medal and its place on the leaderboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.data import data_source, require_prepared
from mlebench.grading.reports import Verdict
from mlebench.grading.scoring import score_submission
from mlebench.ground.clock import now
from mlebench.tasks.lookup import get_competition

if TYPE_CHECKING:
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.ref import TaskRef
    from mlebench.tasks.registry import Registry


def judge(
    path: Path | str,
    competition: Competition | TaskRef | str,
    *,
    data_dir: Path | None = None,
    registry: Registry | None = None,
) -> Verdict:
    """Grade a submission file and return everything that is known about the result.

    Parameters
    ----------
    path
        The submission, a CSV file. A missing or refused one gives a verdict without a score.
    competition
        An id such as `spaceship-titanic` or `spaceship-titanic@v2`, or a competition.
    data_dir, registry
        Where the data are; see `get_competition`.

    Returns
    -------
    Verdict
        The outcome with its reason, score, medal, rank and thresholds.

    Raises
    ------
    NotPreparedError
        The competition's answers are not prepared.
    UnknownNameError
        There is no such competition.
    OSError
        This machine failed, such as a disk with defects: nothing is known about the submission.
    """
    path = Path(path)
    competition = get_competition(competition, data_dir=data_dir, registry=registry)
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
        submission_exists=scoring.submission_exists,
        data_version=competition.data_version,
        graded_at=now(),
    )


def normalized_score(score: float | None, competition: Competition) -> float | None:
    """Return where a score lies between that of the sample submission (0) and the gold threshold (1).

    None if there is no score, or the score of the sample submission is unknown or equal to the threshold.
    """
    sample = competition.declaration.sample_score if competition.declaration else None
    gold = competition.standings.thresholds.gold
    if score is None or sample is None or sample == gold:
        return None
    return (score - sample) / (gold - sample) + 0.0  # turns -0.0 into 0.0
