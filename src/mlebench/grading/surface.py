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

if TYPE_CHECKING:
    from mlebench.grading.reports import Verdict
    from mlebench.tasks.competition import Competition

logger = logging.getLogger(__name__)


def validate_submission(path: Path, competition: Competition) -> tuple[bool, str]:
    """Say whether a submission can be graded, by grading it; the texts are those that clients compare."""
    path = Path(path)
    if not path.is_file():
        return False, f"Submission invalid! Submission file {path} does not exist."
    if path.suffix.lower() != ".csv":
        return False, "Submission invalid! Submission file must be a CSV file."
    require_prepared(competition, grading_only=True)
    scoring = score_submission(path, competition)
    if scoring.outcome is Outcome.GRADED:
        return True, VALID
    attempt = "The attempt to grade the submission has resulted in the following error message:"
    return False, f"Submission invalid! {attempt}\n{scoring.reason}"


def grade_csv(path: Path, competition: Competition) -> CompetitionReport:
    """Grade a submission file and return the report in the common format."""
    verdict = judge(path, competition)
    log_verdict(verdict)
    return CompetitionReport.from_verdict(verdict)


def log_verdict(verdict: Verdict) -> None:
    """Log what happened to a submission in the words that clients look for."""
    match verdict.outcome:
        case Outcome.INVALID:
            logger.warning("Invalid submission: %s", verdict.reason)
        case Outcome.MISSING:
            logger.warning("Invalid submission file: %s", verdict.reason)
        case Outcome.FAILED:
            logger.error("Unexpected error during grading: %s", verdict.reason)
