"""Asking an upstream: the key put in, faults that may pass tried again, until the first byte of an answer is there."""

from __future__ import annotations

import asyncio
import email.utils
import json
import random
import time
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from mlebench.gateway.models.answers import HEADERS, Answer, CutError
from mlebench.gateway.models.protocols import Refusal
from mlebench.ground.extras import require
from mlebench.ground.version import __version__

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    import httpx

    from mlebench.gateway.models.config import ModelsConfig
    from mlebench.gateway.models.protocols import Endpoint
    from mlebench.gateway.models.requests import Prepared

MOST_ANSWER_BYTES = 256 * 1024**2
PASSED_HEADERS = ("anthropic-version", "anthropic-beta", "openai-beta")
"""What is passed on of an agent's headers."""
_MAY_PASS = frozenset({408, 429, 500, 502, 503, 504, 529})
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0


class _PassingFault(Exception):
    """A fault of the connection before an answer began."""


class Upstreams:
    """The outgoing side: one HTTP client for all runs. Lives in one event loop, between `open` and `close`."""

    def __init__(self, config: ModelsConfig, keys: Mapping[str, str]) -> None:
        self._config = config
        self._keys = keys
        self._client: httpx.AsyncClient

    async def open(self) -> None:
        httpx = import_httpx()
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
        self._client = httpx.AsyncClient(limits=limits, follow_redirects=False)

    async def close(self) -> None:
        await self._client.aclose()

    @asynccontextmanager
    async def ask(
        self, prepared: Prepared, endpoint: Endpoint, headers: Mapping[str, str], *, beta: bool
    ) -> AsyncIterator[Answer]:
        """Give the answer to a request, of whatever status; raise Refusal if none is to be had."""
        upstream = self._config.upstreams[prepared.upstream]
        url = _address(upstream.protocol, upstream.base_url) + endpoint.suffix + ("?beta=true" if beta else "")
        sent = self._headers(prepared, headers)
        deadline = time.monotonic() + upstream.timeout_seconds
        for tried in range(upstream.retries + 1):
            left = deadline - time.monotonic()
            async with AsyncExitStack() as stack:
                try:
                    async with asyncio.timeout(left):
                        answer = await self._try(stack, prepared, url, sent, upstream.timeout_seconds)
                except TimeoutError:
                    raise Refusal(504, "The model did not begin to answer in time.") from None
                except _PassingFault as fault:
                    pause = _pause(tried, {})
                    if tried == upstream.retries or time.monotonic() + pause > deadline:
                        raise Refusal(502, f"The model server cannot be reached: {fault}.") from None
                else:
                    answer.retries = tried
                    pause = _pause(tried, answer.headers)
                    late = time.monotonic() + pause > deadline
                    if tried == upstream.retries or late or not _may_pass(answer):
                        yield answer
                        return
            await asyncio.sleep(pause)

    def _headers(self, prepared: Prepared, given: Mapping[str, str]) -> dict[str, str]:
        upstream, key = self._config.upstreams[prepared.upstream], self._keys[prepared.upstream]
        headers = {name: value for name in PASSED_HEADERS if (value := given.get(name, "")).isascii() and value}
        if upstream.protocol == "anthropic":
            headers.setdefault("anthropic-version", "2023-06-01")
        headers |= {name.lower(): value for name, value in upstream.headers.items()}
        if key:
            own = {"x-api-key": key} if upstream.protocol == "anthropic" else {"authorization": f"Bearer {key}"}
            headers |= own
        return headers | {
            "content-type": "application/json",
            "accept": "text/event-stream" if prepared.stream else "application/json",
            "accept-encoding": "identity",
            "user-agent": f"mlebench/{__version__}",
        }

    async def _try(
        self, stack: AsyncExitStack, prepared: Prepared, url: str, headers: dict[str, str], silence: float
    ) -> Answer:
        """Try once; a stream is given with its first chunk read, anything else is read whole."""
        httpx = import_httpx()
        timeout = httpx.Timeout(silence, connect=min(30.0, silence))
        try:
            response = await stack.enter_async_context(
                self._client.stream("POST", url, content=prepared.content, headers=headers, timeout=timeout)
            )
            chunks = response.aiter_bytes()
            kept = {name: response.headers[name] for name in HEADERS if name in response.headers}
            is_stream = kept.get("content-type", "").startswith("text/event-stream")
            if response.status_code == 200 and is_stream:
                first = await anext(chunks, b"")
                return Answer(200, kept, _following(first, chunks), stream=True)
            body = b"".join([piece async for piece in _bounded(chunks)])
        except httpx.TimeoutException:
            raise TimeoutError from None
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise _PassingFault(type(error).__name__) from error
        return self._plain(prepared, response.status_code, kept, body)

    def _plain(self, prepared: Prepared, status: int, headers: dict[str, str], body: bytes) -> Answer:
        if status == 401:  # the body may quote a part of the key
            raise Refusal(401, "The gateway's own key was refused by the model server; tell whoever runs this.")
        if not 200 <= status < 300 and not 400 <= status < 600:
            raise Refusal(502, f"The model server answered with status {status}, which is not followed.")
        if key := self._keys[prepared.upstream]:
            body = body.replace(key.encode(), b"[key]")
        if status == 429 and _quota_is_used_up(body):
            headers["x-should-retry"] = "false"
        return Answer(status, headers, _one(body), stream=False)


def import_httpx() -> Any:
    """Return the HTTP client library; MissingExtraError tells how to get it."""
    require("models")
    import httpx

    return httpx


def _address(protocol: str, base_url: str) -> str:
    # Both spellings are about; the path of this protocol brings its own /v1.
    return base_url.removesuffix("/v1") if protocol == "anthropic" else base_url


def _may_pass(answer: Answer) -> bool:
    if answer.headers.get("x-should-retry") == "false":
        return False
    return answer.status in _MAY_PASS


def _pause(tried: int, headers: Mapping[str, str]) -> float:
    """Return the seconds to wait: what the upstream asks for, else longer each time and never quite the same."""
    told = _retry_after(headers)
    if told is not None:
        return told
    longest = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0**tried)
    return longest * random.uniform(0.75, 1.0)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        told = headers["retry-after"]
        try:
            return max(0.0, float(told))
        except ValueError:
            return max(0.0, email.utils.parsedate_to_datetime(told).timestamp() - time.time())
    except (KeyError, ValueError):
        return None


async def _one(body: bytes) -> AsyncIterator[bytes]:
    yield body


async def _bounded(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    size = 0
    async for chunk in chunks:
        size += len(chunk)
        if size > MOST_ANSWER_BYTES:
            raise Refusal(502, f"The model server's answer is longer than {MOST_ANSWER_BYTES} bytes.")
        yield chunk


async def _following(first: bytes, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    httpx = import_httpx()
    try:
        if first:
            yield first
        async for chunk in _bounded(chunks):
            yield chunk
    except (httpx.HTTPError, Refusal) as error:
        raise CutError(type(error).__name__) from error


def _quota_is_used_up(body: bytes) -> bool:
    """Tell whether a 429 says that the account has no money left, which waiting does not mend."""
    try:
        error = json.loads(body).get("error")
    except (ValueError, AttributeError):
        return False
    return isinstance(error, dict) and error.get("code") == "insufficient_quota"
