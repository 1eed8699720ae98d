"""The check that an agent may call: the form of a submission, without the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.errors import InvalidSubmissionError
from mlebench.grading.intake import Allowance, read_submission

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.tasks.competition import Competition

VALID = "Submission is valid."


def check_submission(path: Path, competition: Competition) -> str:
    """Say whether a submission has the shape of the sample submission; the answers are not opened.

    This is the check that an agent may call. Its message holds nothing that the sample submission does not tell.
    """
    try:
        submission = read_submission(path, Allowance.like(competition.sample_submission))
        if competition.declaration is not None:
            from mlebench.ground.tables import read_csv

            sample = read_csv(competition.sample_submission)
            aligned = competition.declaration.submission.align(submission, sample)
            if competition.check is not None:
                beside = competition.declaration.check_with
                competition.check(aligned, *([read_csv(competition.prepared_dir / beside)] if beside else []))
    except InvalidSubmissionError as error:
        return f"Submission invalid! {error}"
    return VALID
