"""Upstreams: send a request with the provider's key, and retry it until a response begins."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mlebench.gateway.models.errors import BrokenStreamError, ClientDisconnectedError, GatewayError
from mlebench.gateway.models.responses import FORWARDED_HEADERS, Response
from mlebench.gateway.models.retries import is_retryable, retry_delay
from mlebench.ground.extras import require
from mlebench.ground.version import __version__

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    import httpx

    from mlebench.gateway.models.config import ModelsConfig
    from mlebench.gateway.models.requests import UpstreamRequest
    from mlebench.gateway.models.routes import Route

MAX_RESPONSE_BYTES = 256 * 1024**2


UNBILLED_SECONDS = 5.0
"""A connection that is lost within this time, before a response began, was closed before the model worked."""
_UNKNOWN_STATUSES = (504, 524)
"""A proxy did not wait for the model, which may have worked nevertheless."""


class _ConnectionFailedError(Exception):
    """The connection failed before a response was complete.

    Parameters
    ----------
    message : str
        What failed.
    is_billed : bool
        Whether the provider may charge the request.
    """

    def __init__(self, message: str, *, is_billed: bool) -> None:
        super().__init__(message)
        self.is_billed = is_billed


@dataclass(slots=True)
class Attempts:
    """The attempts of one call at its upstream."""

    client_gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when nobody waits for the response: a failed attempt is not repeated."""
    billed: int = 0
    """Attempts that the provider may charge: all but those that failed before the model worked."""


class UpstreamClient:
    """One HTTP client for the requests of all runs. It lives in one event loop, between `open` and `close`.

    Parameters
    ----------
    config : ModelsConfig
        The upstreams.
    keys : mapping of str to str
        The key of each upstream; empty where none is sent.
    """

    def __init__(self, config: ModelsConfig, keys: Mapping[str, str]) -> None:
        self._config = config
        self._keys = keys
        self._client: httpx.AsyncClient

    async def open(self) -> None:
        """Create the HTTP client."""
        httpx = import_httpx()
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
        self._client = httpx.AsyncClient(limits=limits, follow_redirects=False)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    @asynccontextmanager
    async def send(self, request: UpstreamRequest, route: Route, attempts: Attempts) -> AsyncIterator[Response]:
        """Send a request, retry it while errors may be temporary, and yield the response.

        Parameters
        ----------
        request : UpstreamRequest
            The request.
        route : Route
            Its route.
        attempts : Attempts
            Counts the attempts.

        Yields
        ------
        Response
            A response of any status; only 401 is replaced by an error.

        Raises
        ------
        GatewayError
            If no response begins within the upstream's timeout.
        ClientDisconnectedError
            If an attempt failed and the client is gone.
        """
        upstream = self._config.upstreams[request.upstream]
        url = _api_root(upstream.protocol, upstream.base_url) + route.upstream_path + request.query
        sent_headers = self._headers(request)
        deadline = time.monotonic() + upstream.timeout_seconds
        for retries in range(upstream.retries + 1):
            remaining = deadline - time.monotonic()
            async with AsyncExitStack() as stack:
                attempts.billed += 1
                try:
                    async with asyncio.timeout(remaining):
                        response = await self._send_once(stack, request, url, sent_headers, upstream.timeout_seconds)
                except TimeoutError:
                    raise GatewayError(504, "The model did not respond in time.") from None
                except _ConnectionFailedError as error:
                    attempts.billed -= not error.is_billed
                    delay = retry_delay(retries, {})
                    if retries == upstream.retries or time.monotonic() + delay > deadline:
                        raise GatewayError(502, f"The model server cannot be reached: {error}.") from None
                else:
                    response.retries = retries
                    if response.status >= 300 and response.status not in _UNKNOWN_STATUSES:
                        attempts.billed -= 1
                    _refuse_unusable(response.status)
                    delay = retry_delay(retries, response.headers)
                    is_last = retries == upstream.retries or time.monotonic() + delay > deadline
                    if is_last or not is_retryable(response) or attempts.client_gone.is_set():
                        yield response
                        return
            with suppress(TimeoutError):
                async with asyncio.timeout(delay):
                    await attempts.client_gone.wait()
            if attempts.client_gone.is_set():
                raise ClientDisconnectedError

    def _headers(self, request: UpstreamRequest) -> dict[str, str]:
        upstream, key = self._config.upstreams[request.upstream], self._keys[request.upstream]
        headers = request.headers | {name.lower(): value for name, value in upstream.headers.items()}
        if key:
            headers |= {"x-api-key": key} if upstream.protocol == "anthropic" else {"authorization": f"Bearer {key}"}
        return headers | {
            "content-type": "application/json",
            "accept": "text/event-stream" if request.stream else "application/json",
            "accept-encoding": "identity",
            "user-agent": f"mlebench/{__version__}",
        }

    async def _send_once(
        self, stack: AsyncExitStack, request: UpstreamRequest, url: str, headers: dict[str, str], timeout_seconds: float
    ) -> Response:
        """Send a request once; return a stream with its first chunk read, any other response read completely."""
        httpx = import_httpx()
        timeout = httpx.Timeout(timeout_seconds, connect=min(30.0, timeout_seconds))
        start, has_begun = time.monotonic(), False
        try:
            response = await stack.enter_async_context(
                self._client.stream("POST", url, content=request.body, headers=headers, timeout=timeout)
            )
            has_begun = response.status_code < 300
            chunks = response.aiter_bytes()
            kept = {name: response.headers[name] for name in FORWARDED_HEADERS if name in response.headers}
            is_stream = kept.get("content-type", "").startswith("text/event-stream")
            if response.status_code == 200 and is_stream:
                first = await anext(chunks, b"")
                return Response(200, kept, _stream_chunks(first, chunks), stream=True)
            body = b"".join([chunk async for chunk in _limit_size(chunks)])
        except httpx.ConnectTimeout as error:
            raise _ConnectionFailedError(type(error).__name__, is_billed=False) from error
        except httpx.TimeoutException:
            raise TimeoutError from None
        except (httpx.TransportError, httpx.DecodingError) as error:
            is_billed = has_begun or time.monotonic() - start > UNBILLED_SECONDS
            is_billed = is_billed and not isinstance(error, httpx.ConnectError)
            raise _ConnectionFailedError(type(error).__name__, is_billed=is_billed) from error
        return self._plain_response(request, response.status_code, kept, body)

    def _plain_response(self, request: UpstreamRequest, status: int, headers: dict[str, str], body: bytes) -> Response:
        if key := self._keys[request.upstream]:
            body = body.replace(key.encode(), b"[key]")
        if status == 429 and _is_quota_exhausted(body):
            headers["x-should-retry"] = "false"
        return Response(status, headers, _single_chunk(body), stream=False)


def import_httpx() -> Any:
    """Return the HTTP client library; raise MissingExtraError if it is not installed."""
    require("models")
    import httpx

    return httpx


def _api_root(protocol: str, base_url: str) -> str:
    # Anthropic base URLs are written with and without /v1; the paths of the routes contain it.
    return base_url.removesuffix("/v1") if protocol == "anthropic" else base_url


def _refuse_unusable(status: int) -> None:
    """Raise GatewayError for a response that agents do not get."""
    if status == 401:  # the body may quote a part of the key
        raise GatewayError(401, "The model server refused the gateway's own key. Tell whoever runs the gateway.")
    if not 200 <= status < 300 and not 400 <= status < 600:
        raise GatewayError(502, f"The model server responded with status {status}, which the gateway does not follow.")


async def _single_chunk(body: bytes) -> AsyncIterator[bytes]:
    yield body


async def _limit_size(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    size = 0
    async for chunk in chunks:
        size += len(chunk)
        if size > MAX_RESPONSE_BYTES:
            raise GatewayError(502, f"The model server's response is longer than {MAX_RESPONSE_BYTES} bytes.")
        yield chunk


async def _stream_chunks(first: bytes, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    httpx = import_httpx()
    try:
        if first:
            yield first
        async for chunk in _limit_size(chunks):
            yield chunk
    except (httpx.HTTPError, GatewayError) as error:
        raise BrokenStreamError(type(error).__name__) from error


def _is_quota_exhausted(body: bytes) -> bool:
    """Tell whether a 429 means that the account has no money left, so that a retry is of no use."""
    try:
        error = json.loads(body).get("error")
    except (ValueError, AttributeError):
        return False
    return isinstance(error, dict) and error.get("code") == "insufficient_quota"
