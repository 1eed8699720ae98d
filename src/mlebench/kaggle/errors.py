"""Error responses of Kaggle and failures of the network, as exceptions of mlebench."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, TypeVar

from mlebench.errors import (
    CompetitionUnavailableError,
    CredentialsError,
    KaggleError,
    MLEBenchError,
    NetworkError,
    RulesNotAcceptedError,
    UsageError,
)
from mlebench.ground.extras import require
from mlebench.kaggle.models import rules_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    import requests

    from mlebench.tasks.competition import Competition

Value = TypeVar("Value")
CLOSED = re.compile(r"closed|entrant|no longer|not open|ended|invit|private", re.IGNORECASE)
"""Matches Kaggle's message about a competition that new users cannot join."""
RULES = re.compile(r"\brules?\b|must accept", re.IGNORECASE)
MAX_MESSAGE = 200
"""Characters of Kaggle's message that are shown."""


@dataclass(frozen=True)
class Subject:
    """What a request is about."""

    name: str
    """As in a sentence: "the competition leaf-classification"."""
    competition: str | None = None
    """The competition's id, if it is about one."""

    @classmethod
    def of(cls, competition_id: str) -> Subject:
        """Return the subject of a request about a competition."""
        return cls(f"the competition {competition_id}", competition_id)


def from_status(error: requests.HTTPError, subject: Subject, origin: str) -> KaggleError:
    """Return the exception for an HTTP error status.

    Parameters
    ----------
    error
        The exception that kagglesdk raised.
    subject
        What the request was about.
    origin
        Where the credentials come from, for a message about rejected ones.
    """
    status, message = status_of(error), _message_of(error)
    if status == HTTPStatus.UNAUTHORIZED:
        return CredentialsError(
            f"Kaggle rejects the credentials from {origin}{message}; create new ones in your account's settings."
        )
    if status == HTTPStatus.FORBIDDEN:
        return _from_forbidden(subject, message)
    if status == HTTPStatus.NOT_FOUND:
        page = f"; check https://www.kaggle.com/c/{subject.competition}" if subject.competition else ""
        return CompetitionUnavailableError(f"Kaggle does not know {subject.name}{message}{page}.")
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return NetworkError(
            f"Kaggle failed (HTTP {status}) on a request about {subject.name}{message}; "
            "run the same command again later."
        )
    return KaggleError(f"Kaggle rejects a request about {subject.name} (HTTP {status}){message}.")


def from_network(error: Exception, subject: Subject) -> NetworkError:
    """Return the exception for a request that got no usable response."""
    require("kaggle")
    import requests

    if isinstance(error, requests.Timeout):
        reason = "the request timed out"
    elif isinstance(error, requests.exceptions.SSLError):
        reason = "its certificate is not trusted"
    elif isinstance(error, requests.exceptions.ProxyError):
        reason = "the proxy does not respond"
    elif isinstance(error, requests.ConnectionError):
        reason = "the network or Kaggle is down"
    else:
        reason = "the response is not understood"
    return NetworkError(
        f"A request to Kaggle about {subject.name} failed because {reason} ({type(error).__name__}); "
        "check the network, then run the same command again."
    )


@contextmanager
def reading_answer(subject: Subject) -> Iterator[None]:
    """Raise NetworkError where an answer is read and its fields are not what they should be.

    The library checks the types of few fields.
    """
    try:
        yield
    except MLEBenchError:
        raise
    except (AttributeError, TypeError, ValueError, LookupError, ArithmeticError, RecursionError) as error:
        raise from_network(error, subject) from error


def expect(value: object, kind: type[Value]) -> Value:
    """Return a value of a response; TypeError if it is of another type."""
    if not isinstance(value, kind):
        raise TypeError(f"{type(value).__name__} instead of {kind.__name__}")
    return value


def expect_text(value: object) -> str:
    """Return a text of a response, in which lone surrogates become question marks; TypeError if it is no text."""
    return expect(value, str).encode("utf-8", "replace").decode("utf-8")


def status_of(error: requests.HTTPError) -> int:
    """Return the HTTP status of an error, or the code in its JSON body where the status is 200."""
    if error.response is None:
        return 0
    status = error.response.status_code
    if status < HTTPStatus.BAD_REQUEST:
        code = _field_of(error.response, "code")
        return code if isinstance(code, int) else status
    return status


def _message_of(error: requests.HTTPError) -> str:
    """Return Kaggle's message in parentheses as part of a sentence, or an empty string."""
    if error.response is None or "application/json" not in error.response.headers.get("Content-Type", ""):
        return ""
    message = str(_field_of(error.response, "message") or "")
    text = " ".join(re.sub(r"[{}()\x00-\x1f]", " ", message).split()).rstrip(".")
    text = re.sub(r"[.!?] (?=[A-Z])", "; ", text)  # it becomes part of one sentence
    shown = text if len(text) <= MAX_MESSAGE else text[:MAX_MESSAGE] + "…"
    return f" (Kaggle says: {shown})" if shown else ""


def _field_of(response: requests.Response, name: str) -> object:
    """Return a field of a JSON response; None if there is no such field, or the body is not a JSON object."""
    try:
        document = response.json()
    except (ValueError, RecursionError):
        return None
    return document.get(name) if isinstance(document, dict) else None


def _from_forbidden(subject: Subject, message: str) -> KaggleError:
    if subject.competition is None:
        return CompetitionUnavailableError(f"Kaggle does not show {subject.name} to this account{message}.")
    if CLOSED.search(message) and not RULES.search(message):
        return CompetitionUnavailableError(
            f"Kaggle does not admit this account to {subject.name}{message}; it is closed to new entrants, "
            "so get its data from somebody who has them and pass them with --raw PATH."
        )
    message = "" if "must accept" in message else message  # the sentence below begins with it
    return RulesNotAcceptedError(
        f"You must accept the rules of {subject.name} at {rules_page(subject.competition)} before Kaggle provides "
        f"its data{message}; then run the same command again."
    )


def require_kaggle_competition(competition: Competition) -> None:
    """Raise UsageError if a competition's data are embedded, so that Kaggle does not know it."""
    if competition.is_embedded:
        raise UsageError(f"{competition.id} is not a competition at Kaggle: its data are made on this machine.")
