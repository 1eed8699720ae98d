"""Check the form of a submission without its answers, as agents may."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.data import require_prepared
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.intake import Allowance, read_submission
from mlebench.tasks.lookup import get_competition

if TYPE_CHECKING:
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.ref import TaskRef
    from mlebench.tasks.registry import Registry

VALID = "Submission is valid."


@dataclass(frozen=True, slots=True)
class SubmissionCheck:
    """The result of checking the form of a submission."""

    is_valid: bool
    message: str
    """`Submission is valid.`, or what is wrong in one sentence."""


def validate(
    path: Path | str,
    competition: Competition | TaskRef | str,
    *,
    data_dir: Path | None = None,
    registry: Registry | None = None,
) -> SubmissionCheck:
    """Check the form of a submission, as `mlebench validate` and the check inside a sandbox do.

    The answers are not read, so the result says nothing about the score.

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
    SubmissionCheck
        Whether the submission is valid, and a message.

    Raises
    ------
    NotPreparedError
        The competition's data are not prepared.
    UnknownNameError
        There is no such competition.
    """
    found = get_competition(competition, data_dir=data_dir, registry=registry)
    require_prepared(found)
    message = check_submission(Path(path), found)
    return SubmissionCheck(message == VALID, message)


def check_submission(path: Path, competition: Competition) -> str:
    """Return `VALID`, or what is wrong with a submission; the answers are not read.

    Agents may call this check: its message contains nothing that the sample submission does not reveal.

    Parameters
    ----------
    path
        The submission, a CSV file.
    competition
        A competition whose public files are prepared.
    """
    try:
        require_valid(path, competition)
    except InvalidSubmissionError as error:
        return refusal(error)
    return VALID


def refusal(error: InvalidSubmissionError) -> str:
    """Return the message of `check_submission` about a refused submission."""
    return f"Submission invalid! {error}"


def require_valid(path: Path, competition: Competition) -> None:
    """Raise InvalidSubmissionError if the form of a submission is wrong; see `check_submission`."""
    shape = competition.declaration.submission if competition.declaration else None
    text = shape.text_columns if shape else ()
    submission = read_submission(path, Allowance.like(competition.sample_submission), text=text)
    if competition.declaration is not None and shape is not None:
        from mlebench.ground.tables import read_csv

        sample = read_csv(competition.sample_submission, text=text)
        aligned = shape.align(submission, sample)
        if competition.check is not None:
            table = competition.declaration.check_with
            competition.check(aligned, *([read_csv(competition.prepared_dir / table)] if table else []))
