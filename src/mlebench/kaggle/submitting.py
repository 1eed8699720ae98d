"""Late submissions: sent to Kaggle, and what came of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.errors import UsageError
from mlebench.kaggle.facts import SubmissionScores
from mlebench.kaggle.library import competitions_of, request
from mlebench.kaggle.refusals import Subject

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.kaggle.session import Session


def submit(session: Session, competition_id: str, file: Path, message: str) -> int:
    """Make a submission and return its reference."""
    if not file.is_file():
        raise UsageError(f"There is no submission at {file}; name a file that is there.")
    subject, facts = Subject.of(competition_id), file.stat()
    start = request(
        "ApiStartSubmissionUploadRequest",
        competition_name=competition_id,
        file_name=file.name,
        content_length=facts.st_size,
        last_modified_epoch_seconds=int(facts.st_mtime),
    )
    upload = session.call(subject, lambda kaggle: competitions_of(kaggle).start_submission_upload(start))
    session.call(subject, lambda kaggle: _send(file, upload.create_url, session))
    create = request(
        "ApiCreateSubmissionRequest",
        competition_name=competition_id,
        blob_file_tokens=upload.token,
        submission_description=message,
    )
    answer = session.call(subject, lambda kaggle: competitions_of(kaggle).create_submission(create), again=False)
    return int(answer.ref)


def scores(session: Session, competition_id: str, ref: int) -> SubmissionScores:
    """Return what came of a submission."""
    asked = request("ApiGetSubmissionRequest", ref=ref)
    subject = Subject(f"submission {ref} to {competition_id}")
    answer = session.call(subject, lambda kaggle: competitions_of(kaggle).get_submission(asked))
    return SubmissionScores(
        ref,
        answer.status.name.lower(),
        public_score=_number(answer.public_score),
        private_score=_number(answer.private_score),
        problem=answer.error_description or None,
    )


def _send(file: Path, url: str, session: Session) -> None:
    """Send a file's bytes to the address that Kaggle gave for them."""
    import requests

    with file.open("rb") as content:
        answer = requests.put(url, data=content, timeout=(session.patience.connect, session.patience.read))
    answer.raise_for_status()


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None
