"""Late submissions to Kaggle and their scores."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mlebench.errors import UsageError
from mlebench.ground.extras import require
from mlebench.kaggle.errors import Subject, expect_text, reading_answer
from mlebench.kaggle.models import SubmissionScores
from mlebench.kaggle.sdk import competition_api, make_request

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.kaggle.session import Session


def submit(session: Session, competition_id: str, file: Path, message: str) -> int:
    """Upload and submit a file; see `KaggleClient.submit`."""
    if not file.is_file():
        raise UsageError(f"There is no submission file at {file}.")
    subject, status = Subject.of(competition_id), file.stat()
    start = make_request(
        "ApiStartSubmissionUploadRequest",
        competition_name=competition_id,
        file_name=file.name,
        content_length=status.st_size,
        last_modified_epoch_seconds=int(status.st_mtime),
    )
    upload = session.call(subject, lambda sdk: competition_api(sdk).start_submission_upload(start))
    session.call(subject, lambda sdk: _upload(file, upload.create_url, session))
    create = make_request(
        "ApiCreateSubmissionRequest",
        competition_name=competition_id,
        blob_file_tokens=upload.token,
        submission_description=message,
    )
    answer = session.call(subject, lambda sdk: competition_api(sdk).create_submission(create), is_repeatable=False)
    return int(answer.ref)


def fetch_scores(session: Session, competition_id: str, ref: int) -> SubmissionScores:
    """Return the state and the scores of a submission."""
    request = make_request("ApiGetSubmissionRequest", ref=ref)
    subject = Subject(f"submission {ref} to {competition_id}")
    with reading_answer(subject):
        answer = session.call(subject, lambda sdk: competition_api(sdk).get_submission(request))
        return SubmissionScores(
            ref,
            answer.status.name.lower(),
            public_score=parse_score(answer.public_score),
            private_score=parse_score(answer.private_score),
            problem=expect_text(answer.error_description or "") or None,
        )


def _upload(file: Path, url: str, session: Session) -> None:
    require("kaggle")
    import requests

    with file.open("rb") as content:
        answer = requests.put(url, data=content, timeout=session.policy.timeouts)
    answer.raise_for_status()


def parse_score(text: str | None) -> float | None:
    """Return a score as a number; None if there is none, or it is not a finite number."""
    try:
        score = float(text) if text else math.nan
    except ValueError:
        return None
    return score if math.isfinite(score) else None
