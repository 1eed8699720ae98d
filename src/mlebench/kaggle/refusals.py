"""What Kaggle and the network answer instead of an answer, as errors of ours."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from mlebench.errors import (
    CompetitionUnavailableError,
    CredentialsError,
    KaggleError,
    NetworkError,
    RulesNotAcceptedError,
)
from mlebench.kaggle.facts import rules_page

if TYPE_CHECKING:
    import requests

CLOSED = re.compile(r"closed|entrant|no longer|not open|ended|invit|private", re.IGNORECASE)
"""In what Kaggle says when nobody, or not everybody, can join a competition any more."""
RULES = re.compile(r"\brules?\b|must accept", re.IGNORECASE)
LONGEST = 200


@dataclass(frozen=True)
class Subject:
    """What Kaggle was asked about."""

    name: str
    """As it stands in a sentence: the competition leaf-classification."""
    competition: str | None = None

    @classmethod
    def of(cls, competition_id: str) -> Subject:
        return cls(f"the competition {competition_id}", competition_id)


def error_of_status(error: requests.HTTPError, subject: Subject, origin: str) -> KaggleError:
    """Return the error that an HTTP status means."""
    status, said = status_of(error), words_of(error)
    if status == HTTPStatus.UNAUTHORIZED:
        return CredentialsError(
            f"Kaggle does not take the credentials from {origin}{said}; make new ones in your account's settings."
        )
    if status == HTTPStatus.FORBIDDEN:
        return _forbidden(subject, said)
    if status == HTTPStatus.NOT_FOUND:
        where = f"; look at https://www.kaggle.com/c/{subject.competition}" if subject.competition else ""
        return CompetitionUnavailableError(f"Kaggle does not know {subject.name}{said}{where}.")
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return NetworkError(
            f"Kaggle fails at the moment (HTTP {status}) when asked about {subject.name}{said}; "
            "give the same command again later."
        )
    return KaggleError(f"Kaggle refuses what it was asked about {subject.name} (HTTP {status}){said}.")


def error_of_network(error: Exception, subject: Subject) -> NetworkError:
    """Return the error for a network that does not reach Kaggle."""
    import requests

    if isinstance(error, requests.Timeout):
        reason = "it does not answer in time"
    elif isinstance(error, requests.exceptions.SSLError):
        reason = "the connection is not trusted"
    elif isinstance(error, requests.exceptions.ProxyError):
        reason = "the proxy does not answer"
    elif isinstance(error, requests.ConnectionError):
        reason = "the network or Kaggle is down"
    else:
        reason = "what it answers is not understood"
    return NetworkError(
        f"Kaggle could not be asked about {subject.name}, since {reason} ({type(error).__name__}); "
        "look at the network, then give the same command again."
    )


def status_of(error: requests.HTTPError) -> int:
    """Return the status of an answer, the one in its JSON included."""
    if error.response is None:
        return 0
    status = error.response.status_code
    if status < HTTPStatus.BAD_REQUEST:  # the library also raises for a 200 whose JSON tells of an error
        return int(error.response.json().get("code", status))
    return status


def words_of(error: requests.HTTPError) -> str:
    """Return what Kaggle says, in brackets, fit for a sentence of ours; nothing where it says nothing."""
    if error.response is None or "application/json" not in error.response.headers.get("Content-Type", ""):
        return ""
    try:
        message = str(error.response.json().get("message") or "")
    except (ValueError, AttributeError):
        return ""
    words = " ".join(re.sub(r"[{}()\x00-\x1f]", " ", message).split()).rstrip(".")
    bare = re.sub(r"[.!?] (?=[A-Z])", "; ", words)  # one sentence with ours
    short = bare if len(bare) <= LONGEST else bare[:LONGEST] + "…"
    return f" (it says: {short})" if short else ""


def _forbidden(subject: Subject, said: str) -> KaggleError:
    if subject.competition is None:
        return CompetitionUnavailableError(f"Kaggle does not show {subject.name} to this account{said}.")
    if CLOSED.search(said) and not RULES.search(said):
        return CompetitionUnavailableError(
            f"Kaggle does not let this account into {subject.name}{said}; it is closed to new entrants, so its data "
            "can only come from somebody who has them: give them with --raw PATH."
        )
    said = "" if "must accept" in said else said  # which we say anyway
    return RulesNotAcceptedError(
        f"You must accept the rules of {subject.name} at {rules_page(subject.competition)} before Kaggle hands out "
        f"its data{said}; then give the same command again."
    )
