"""Grading under the names that programs written for the reference call."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.data import require_prepared
from mlebench.grading.check import VALID
from mlebench.grading.judge import judge
from mlebench.grading.reports import CompetitionReport, Outcome
from mlebench.grading.scoring import score_submission
from mlebench.tasks.lookup import get_competition

if TYPE_CHECKING:
    from mlebench.grading.reports import Verdict
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.ref import TaskRef
    from mlebench.tasks.registry import Registry

logger = logging.getLogger(__name__)


def grade_csv(
    path: Path | str,
    competition: Competition | TaskRef | str,
    *,
    data_dir: Path | None = None,
    registry: Registry | None = None,
) -> CompetitionReport:
    """Grade a submission file and return the report in the field's common format.

    A missing or refused submission is no error: the report has no score, and the reason is logged. `judge` returns
    more than this report holds.

    Parameters
    ----------
    path
        The submission, a CSV file.
    competition
        An id such as `spaceship-titanic` or `spaceship-titanic@v2`, or a competition.
    data_dir, registry
        Where the data are; see `get_competition`.

    Returns
    -------
    CompetitionReport
        Score, medals and thresholds.

    Raises
    ------
    NotPreparedError
        The competition's answers are not prepared.
    UnknownNameError
        There is no such competition.
    """
    verdict = judge(path, competition, data_dir=data_dir, registry=registry)
    log_verdict(verdict)
    return CompetitionReport.from_verdict(verdict)


def validate_submission(
    path: Path | str,
    competition: Competition | TaskRef | str,
    *,
    data_dir: Path | None = None,
    registry: Registry | None = None,
) -> tuple[bool, str]:
    """Return whether a submission can be graded, and a message; unlike `validate`, by grading it.

    Parameters
    ----------
    path
        The submission, a CSV file.
    competition
        An id or a competition.
    data_dir, registry
        Where the data are; see `get_competition`.

    Returns
    -------
    tuple of bool and str
        The messages are exactly those that clients compare.

    Raises
    ------
    NotPreparedError
        The competition's answers are not prepared.
    """
    path, found = Path(path), get_competition(competition, data_dir=data_dir, registry=registry)
    if not path.is_file():
        return False, f"Submission invalid! Submission file {path} does not exist."
    if path.suffix.lower() != ".csv":
        return False, "Submission invalid! Submission file must be a CSV file."
    require_prepared(found, grading_only=True)
    scoring = score_submission(path, found)
    if scoring.outcome is Outcome.GRADED:
        return True, VALID
    attempt = "The attempt to grade the submission has resulted in the following error message:"
    return False, f"Submission invalid! {attempt}\n{scoring.reason}"


def log_verdict(verdict: Verdict) -> None:
    """Log why a submission has no score, in the words that clients search for."""
    match verdict.outcome:
        case Outcome.INVALID:
            logger.warning("Invalid submission: %s", verdict.reason)
        case Outcome.MISSING:
            logger.warning("Invalid submission file: %s", verdict.reason)
        case Outcome.FAILED:
            logger.error("Unexpected error during grading: %s", verdict.reason)
