"""Score a submission file: read it, grade it, and describe what went wrong."""

from __future__ import annotations

import hashlib
import logging
import os
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import InvalidSubmissionError
from mlebench.grading.answers import iterate_jsonl, load_answers
from mlebench.grading.intake import Allowance, SubmissionMissingError, parse_submission, read_submission_bytes
from mlebench.grading.reports import Outcome, flat
from mlebench.ground.files import is_machine_failure

if TYPE_CHECKING:
    from mlebench.tasks.competition import Competition

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Scoring:
    """The result of scoring one submission file."""

    outcome: Outcome
    score: float | None = None
    """The score before rounding, in the unit of the task's metric; None unless the outcome is `graded`."""
    reason: str | None = None
    """Why there is no score; None if there is one."""
    sha256: str | None = None
    """Digest of the file; None if it could not be read."""
    submission_exists: bool = True
    """Whether there is a file: a regular one, or a link to one."""


def score_submission(path: Path, competition: Competition) -> Scoring:
    """Score a submission file; errors in the file or in the task's grade function become an outcome.

    Parameters
    ----------
    path
        The submission, a CSV file.
    competition
        A competition whose answers are prepared.

    Returns
    -------
    Scoring
        The score before rounding, or the reason why there is none.

    Raises
    ------
    OSError
        This machine failed, such as a disk with defects: nothing is known about the submission.
    """
    digest = None
    try:
        allowance = Allowance.like(competition.sample_submission, competition.answers)
        content = read_submission_bytes(path, allowance)
        digest = hashlib.sha256(content).hexdigest()
        declared = competition.declaration
        text = declared.submission.text_columns if declared else ()
        submission = parse_submission(content, allowance, text=text)
        as_stream = declared is not None and declared.answer_table is not None
        answers = iterate_jsonl(competition.answers) if as_stream else load_answers(competition.answers, text=text)
        return Scoring(Outcome.GRADED, competition.grader.score(submission, answers), sha256=digest)
    except SubmissionMissingError as error:
        return Scoring(Outcome.MISSING, reason=str(error), sha256=digest, submission_exists=False)
    except InvalidSubmissionError as error:
        exists = digest is not None or os.path.isfile(path)  # noqa: PTH113  never raises
        return Scoring(Outcome.INVALID, reason=str(error), sha256=digest, submission_exists=exists)
    except Exception as error:
        if is_machine_failure(error) and digest is None:
            raise
        # Third-party grade functions may raise anything.
        logger.debug("Grading %s failed:\n%s", path, traceback.format_exc())
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}, line {frame.lineno}"
        reason = flat(f"Grading failed with {type(error).__name__} in {place}: {error}")
        return Scoring(Outcome.FAILED, reason=reason, sha256=digest)
