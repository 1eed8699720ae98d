"""Calls of Kaggle's library: made when first needed, tried again where that helps, their failures ours."""

from __future__ import annotations

import logging
import threading
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar

from mlebench.errors import CredentialsError, RateLimitError
from mlebench.kaggle.credentials import WAYS, find_credentials, library_client
from mlebench.kaggle.library import require_library
from mlebench.kaggle.patience import Patience, retry_after
from mlebench.kaggle.refusals import error_of_network, error_of_status, status_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import requests
    from kagglesdk import KaggleClient as Library

    from mlebench.kaggle.credentials import Credentials
    from mlebench.kaggle.refusals import Subject

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer")
TRIES_WITHOUT_NETWORK = 3
"""Tries of a call while no connection stands: who has no network should not wait long to be told."""


class Session:
    """The one who calls Kaggle's library; calls may come from several threads."""

    def __init__(self, patience: Patience) -> None:
        self.patience = patience
        self._lock = threading.Lock()
        self._library: Library | None = None
        self._credentials: Credentials | None = None

    @property
    def credentials(self) -> Credentials:
        """The user's credentials; CredentialsError where there are none."""
        require_library()
        if self._credentials is None:
            self._credentials = find_credentials()
        if self._credentials is None:
            raise CredentialsError(f"There are no Kaggle credentials on this machine; {WAYS}.")
        return self._credentials

    def call(self, subject: Subject, function: Callable[[Library], Answer], *, again: bool = True) -> Answer:
        """Return what a function of the library gives; without `again` it is called once only, rate limits apart."""
        require_library()
        import requests

        waited, attempt, unreached = 0.0, 1, 0
        while True:
            try:
                return function(self._open())
            except requests.HTTPError as error:
                status = status_of(error)
                if status == HTTPStatus.TOO_MANY_REQUESTS:
                    waited += self._wait_for_rate(error, attempt, waited, subject)
                elif status >= HTTPStatus.INTERNAL_SERVER_ERROR and again and attempt < self.patience.attempts:
                    self._pause(attempt, subject, f"HTTP {status}")
                else:
                    raise error_of_status(error, subject, self.credentials.origin) from error
            except (requests.RequestException, ValueError, TypeError) as error:
                # The library hands on whatever reading an answer raises that is not the JSON it expects.
                unreached += 1
                if not (again and unreached < TRIES_WITHOUT_NETWORK and isinstance(error, requests.ConnectionError)):
                    raise error_of_network(error, subject) from error
                self._pause(attempt, subject, type(error).__name__)
            attempt += 1

    def _pause(self, attempt: int, subject: Subject, reason: str) -> None:
        seconds = self.patience.before(attempt + 1)
        logger.info("Kaggle does not answer about %s (%s); asking again in %.0f s.", subject.name, reason, seconds)
        self.patience.wait(seconds)

    def _wait_for_rate(self, error: requests.HTTPError, attempt: int, waited: float, subject: Subject) -> float:
        """Wait as long as Kaggle asks for and return the seconds; RateLimitError where that is too long."""
        asked = retry_after(error.response.headers.get("Retry-After"))
        seconds = max(asked or 0.0, self.patience.before(attempt + 1))
        if waited + seconds > self.patience.longest_wait:
            raise RateLimitError(
                f"Kaggle takes no further requests about {subject.name} for {seconds:,.0f} seconds (HTTP 429); "
                "give the same command again after that."
            ) from error
        logger.info("Kaggle asks for a pause (HTTP 429); going on with %s in %.0f seconds.", subject.name, seconds)
        self.patience.wait(seconds)
        return seconds

    def _open(self) -> Library:
        credentials = self.credentials
        with self._lock:
            if self._library is None:
                library = library_client(credentials)
                _set_timeout(library, (self.patience.connect, self.patience.read))
                self._library = library
            return self._library


def _set_timeout(library: Library, timeout: tuple[float, float]) -> None:
    """Let no request of the library wait for ever, which is what it does by itself."""
    from requests.adapters import HTTPAdapter

    class Adapter(HTTPAdapter):
        def send(self, request: Any, *arguments: Any, **options: Any) -> requests.Response:
            options["timeout"] = options.get("timeout") or timeout
            return super().send(request, *arguments, **options)

    http = library.http_client()
    http.__enter__()  # makes its session
    session = http._session
    session.mount("https://", Adapter())
    session.mount("http://", Adapter())
