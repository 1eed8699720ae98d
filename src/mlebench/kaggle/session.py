"""An authenticated session with Kaggle: calls of kagglesdk, repeated where that helps."""

from __future__ import annotations

import logging
import math
import threading
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar

from mlebench.errors import CredentialsError, RateLimitError
from mlebench.ground.extras import require
from mlebench.ground.wording import format_duration
from mlebench.kaggle import errors
from mlebench.kaggle.credentials import HOW_TO_AUTHENTICATE, find_credentials, sdk_client
from mlebench.kaggle.retry import RetryPolicy, parse_retry_after

if TYPE_CHECKING:
    from collections.abc import Callable

    import requests
    from kagglesdk import KaggleClient as SdkClient

    from mlebench.kaggle.credentials import Credentials
    from mlebench.kaggle.errors import Subject

logger = logging.getLogger(__name__)

Response = TypeVar("Response")
MAX_ATTEMPTS_OFFLINE = 3
"""Attempts while no connection is made: without a network, the error should come soon."""


class Session:
    """Calls kagglesdk with the user's credentials; calls may come from several threads."""

    def __init__(self, policy: RetryPolicy) -> None:
        self.policy = policy
        self._lock = threading.Lock()
        self._sdk: SdkClient | None = None
        self._credentials: Credentials | None = None

    @property
    def credentials(self) -> Credentials:
        """The user's credentials; CredentialsError if there are none."""
        if self._credentials is None:
            self._credentials = find_credentials()
        if self._credentials is None:
            raise CredentialsError(f"There are no Kaggle credentials; {HOW_TO_AUTHENTICATE}.")
        return self._credentials

    def call(
        self, subject: Subject, function: Callable[[SdkClient], Response], *, is_repeatable: bool = True
    ) -> Response:
        """Call a function of the library and return its result.

        Parameters
        ----------
        subject
            What the call is about, for messages.
        function
            Called with kagglesdk's client.
        is_repeatable
            Whether a call that fails may be repeated. After a rate limit (HTTP 429) every call is.

        Raises
        ------
        MissingExtraError
            The extra `kaggle` is not installed.
        KaggleError
            Kaggle rejects the call or cannot be reached.
        """
        require("kaggle")
        import requests

        waited, attempt, connection_failures = 0.0, 1, 0
        while True:
            try:
                return function(self._open())
            except requests.HTTPError as error:
                status = errors.status_of(error)
                if status == HTTPStatus.TOO_MANY_REQUESTS:
                    waited += self._wait_for_rate_limit(error, attempt, waited, subject)
                elif (
                    status >= HTTPStatus.INTERNAL_SERVER_ERROR and is_repeatable and attempt < self.policy.max_attempts
                ):
                    self._pause(attempt, subject, f"HTTP {status}")
                else:
                    raise errors.from_status(error, subject, self.credentials.origin) from error
            except (requests.RequestException, ValueError, TypeError, RecursionError) as error:
                # The library raises one of the last three for a response that is not the JSON it expects.
                connection_failures += 1
                is_offline = isinstance(error, requests.ConnectionError)
                if not (is_repeatable and is_offline and connection_failures < MAX_ATTEMPTS_OFFLINE):
                    raise errors.from_network(error, subject) from error
                self._pause(attempt, subject, type(error).__name__)
            attempt += 1

    def _pause(self, attempt: int, subject: Subject, reason: str) -> None:
        seconds = self.policy.pause_before(attempt + 1)
        logger.info("A request to Kaggle about %s failed (%s); retrying in %.0f s.", subject.name, reason, seconds)
        self.policy.wait(seconds)

    def _wait_for_rate_limit(self, error: requests.HTTPError, attempt: int, waited: float, subject: Subject) -> float:
        """Wait as long as Kaggle asks and return the seconds; RateLimitError if the total wait is too long."""
        asked = parse_retry_after(error.response.headers.get("Retry-After"))
        seconds = max(asked or 0.0, self.policy.pause_before(attempt + 1))
        if waited + seconds > self.policy.max_rate_limit_wait:
            raise RateLimitError(
                f"Kaggle accepts no requests about {subject.name} for {format_duration(math.ceil(seconds))} "
                "(HTTP 429); run the same command again after that."
            ) from error
        logger.info(
            "Kaggle limits the rate of requests (HTTP 429); retrying the one about %s in %s.",
            subject.name,
            format_duration(math.ceil(seconds)),
        )
        self.policy.wait(seconds)
        return seconds

    def _open(self) -> SdkClient:
        credentials = self.credentials
        with self._lock:
            if self._sdk is None:
                sdk = sdk_client(credentials)
                _set_timeout(sdk, self.policy.timeouts)
                self._sdk = sdk
            return self._sdk


def _set_timeout(sdk: SdkClient, timeout: tuple[float, float]) -> None:
    """Set connect and read timeouts on the library's session, which has none of its own."""
    require("kaggle")
    from requests.adapters import HTTPAdapter

    class Adapter(HTTPAdapter):
        def send(self, request: Any, *args: Any, **options: Any) -> requests.Response:
            options["timeout"] = options.get("timeout") or timeout
            return super().send(request, *args, **options)

    http = sdk.http_client()
    http.__enter__()  # creates its session
    session = http._session
    session.mount("https://", Adapter())
    session.mount("http://", Adapter())
