"""Requests to the model gateway: from the bytes of a connection to requests that may go upstream."""

from __future__ import annotations

import asyncio
import json
import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mlebench.gateway.models.config import ModelsConfig
from mlebench.gateway.models.connection import HttpConnection
from mlebench.gateway.models.errors import ClientDisconnectedError, GatewayError
from mlebench.gateway.models.prices import Price
from mlebench.gateway.models.requests import prepare_request
from mlebench.gateway.models.routes import ROUTES, model_list, protocol_of
from mlebench.gateway.models.usage import TokenUsage

from ..json_mutations import mutate_lines
from ..target import Target, with_length

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mlebench.gateway.models.connection import Request

PRICE = Price(input=2.5, output=10.0)
CONFIG = ModelsConfig.model_validate(
    {
        "upstreams": {
            "one": {"protocol": "openai", "base_url": "http://one/v1"},
            "two": {"protocol": "anthropic", "base_url": "http://two"},
        },
        "models": {"gpt": {"upstream": "one"}, "claude": {"upstream": "two", "parameters": {"temperature": 0}}},
    }
)


class Client(asyncio.Transport):
    """The side of a connection that only keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.received = bytearray()
        self.closed = False

    def write(self, data: Any) -> None:
        self.received += data

    def can_write_eof(self) -> bool:
        return False

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True


@contextmanager
def opened(folder: Path, data: Path) -> Iterator[Callable[[bytes], None]]:
    with asyncio.Runner() as runner:

        def take(content: bytes) -> None:
            content = with_length(content)
            results = [runner.run(talk(content, size)) for size in (len(content) or 1, 1 + len(content) // 7)]
            assert results[0] == results[1], results

        yield take


async def talk(content: bytes, size: int) -> list[str]:
    """Send the bytes in pieces of one size; return what the gateway makes of each request."""
    loop = asyncio.get_running_loop()
    reader, client = asyncio.StreamReader(), Client()
    protocol = asyncio.StreamReaderProtocol(reader)
    protocol.connection_made(client)
    connection = HttpConnection(reader, asyncio.StreamWriter(client, protocol, reader, loop), idle_seconds=600)
    for start in range(0, len(content), size):
        loop.call_soon(reader.feed_data, content[start : start + size])
    loop.call_soon(reader.feed_eof)
    done: list[str] = []
    try:
        while True:
            try:
                request = await connection.next_request()
                if request is None:
                    break
                api = protocol_of(request.path, request.headers)
                if request.path not in ROUTES:
                    raise GatewayError(404, "unknown")
                body = await connection.read_body(lambda _: None)
                done.append(prepare(body, request))
                answer = model_list(api, CONFIG.models)
                await connection.start_response(200, [], len(answer))
                await connection.send_body(answer)
                await connection.end_response()
            except GatewayError as error:
                assert 400 <= error.status < 600
                json.loads(error.body("anthropic"))
                done.append(f"{error.status} {error.message}")
                if connection.is_responding:
                    break
                await connection.start_response(error.status, error.headers(), len(error.body("openai")))
                await connection.send_body(error.body("openai"))
                await connection.end_response()
    except ClientDisconnectedError:
        done.append("disconnected")
    await connection.close()
    return done


def prepare(body: bytes, head: Request) -> str:
    """Return the key of a request; the request that goes upstream must be strict JSON with a known model."""
    route = ROUTES[head.path]
    request = prepare_request(body, head, route, CONFIG)
    document = json.loads(request.body, parse_constant=refuse)
    assert document["model"] == request.upstream_model == request.model in CONFIG.models
    expected = request.expected
    assert expected.input >= 0 <= expected.output
    assert math.isfinite(PRICE.cost(TokenUsage(input=expected.input, output=expected.output)))
    again = prepare_request(request.body, head, route, CONFIG)
    assert again.upstream_model == request.model and again.key == request.key
    return request.key


def refuse(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


TARGET = Target(
    opened,
    words=(b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n", b"POST /v1/messages HTTP/1.1\r\n",
           b"Content-Length: auto\r\n", b"Transfer-Encoding: chunked\r\n", b"Expect: 100-continue\r\n", b"\r\n\r\n",
           b"0\r\n\r\n",
           b'"model":"gpt"', b'"messages":[{"role":"user","content":"a"}]', b'"tools":[', b'"stream":true',
           b'"max_tokens":', b'"n":'),
    libraries=("h11",),
    mutate=mutate_lines,
)  # fmt: skip
