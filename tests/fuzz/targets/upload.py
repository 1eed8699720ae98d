"""Requests to the submission check: from the bytes of an HTTP request with a form to a response in JSON."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
from contextlib import contextmanager
from email.parser import BytesParser
from email.policy import HTTP
from typing import TYPE_CHECKING, Any

import h11
from python_multipart import MultipartParser
from python_multipart.exceptions import MultipartParseError

from mlebench.gateway.check.handler import CheckHandler, CheckService
from mlebench.gateway.check.multipart import MultipartError, boundary_of, read_field
from mlebench.gateway.check.pace import Pace
from mlebench.gateway.check.quota import CheckLimits, CheckQuota
from mlebench.grading.pool import CheckResult
from mlebench.ground.turns import Turns

from ..target import Target, with_length

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MAX_BYTES = 8192


@contextmanager
def opened(folder: Path, data: Path) -> Iterator[Callable[[bytes], None]]:
    closing = threading.Event()

    def check(path: Path) -> CheckResult:
        return CheckResult(hashlib.sha256(path.read_bytes()).hexdigest(), exceeded=False, cpu_seconds=0.0)

    def take(content: bytes) -> None:
        content = with_length(content)
        events: list[dict[str, Any]] = []

        def note(kind: str, /, **facts: object) -> None:
            events.append({"kind": kind, **facts})

        service = CheckService(
            check=check,
            events=note,
            max_bytes=MAX_BYTES,
            idle_seconds=60,
            folder=folder,
            quota=CheckQuota(CheckLimits(), note),
            pace=Pace(closing),
            turn=threading.Lock(),
            space=Turns(MAX_BYTES),
            closing=closing,
        )
        answer = serve(service, content)
        assert all("fault" not in event for event in events), events
        compare_parsers(content.partition(b"\r\n\r\n")[2], content)
        if b" 200 " in answer.partition(b"\r\n")[0] and events:
            assert json.loads(answer.rpartition(b"\r\n\r\n")[2]) == {"result": events[-1]["sha256"]}

    yield take


def serve(service: CheckService, content: bytes) -> bytes:
    """Let a handler answer the bytes of a connection; the response must be HTTP with one JSON object."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(content)
        ours.shutdown(socket.SHUT_WR)
        CheckHandler(service, theirs, "", None)
        theirs.close()
        answer = b"".join(iter(lambda: ours.recv(65536), b""))
    if not answer.startswith(b"HTTP/1.1"):
        return b""  # the request has no version, or nothing was asked
    client = h11.Connection(h11.CLIENT)
    client.send(h11.Request(method="POST", target="/", headers=[("Host", "check")]))
    client.send(h11.EndOfMessage())
    client.receive_data(answer)
    client.receive_data(b"")
    body = b""
    while not isinstance(event := client.next_event(), h11.EndOfMessage):
        assert event not in (h11.NEED_DATA, h11.PAUSED), answer
        body += bytes(event.data) if isinstance(event, h11.Data) else b""
    return answer


def compare_parsers(body: bytes, request: bytes) -> None:
    """Read a form in pieces of several sizes, and by another parser; all must agree."""
    head = request.partition(b"\r\n")[2].partition(b"\r\n\r\n")[0]
    try:
        headers = BytesParser(policy=HTTP).parsebytes(head)
        boundary = boundary_of(headers.get("Content-Type"))
    except (MultipartError, ValueError, IndexError, AttributeError, TypeError, KeyError):
        boundary = b"x"
    results = [read_in_pieces(body, boundary, size) for size in (1, 7, 65536)]
    assert results[0] == results[1] == results[2], results
    if isinstance(results[0], bytes):
        assert files_by_library(body, boundary) == [results[0]]


def read_in_pieces(body: bytes, boundary: bytes, size: int) -> bytes | str:
    """Return the field `file` of a form, or why it cannot be read."""
    place, pieces = 0, []

    def read(limit: int, /) -> bytes:
        nonlocal place
        start, place = place, place + min(limit, size)
        return body[start:place]

    try:
        length = read_field(read, boundary, "file", pieces.append)
    except MultipartError as error:
        return str(error)
    content = b"".join(pieces)
    assert length == len(content)
    return content


def files_by_library(body: bytes, boundary: bytes) -> list[bytes]:
    """Return the fields `file` of a form, as python-multipart reads them."""
    parts: list[tuple[dict[bytes, bytes], bytearray]] = []
    state = {"name": b"", "value": b""}

    def field(data: bytes, start: int, end: int) -> None:
        state["name"] += data[start:end]

    def value(data: bytes, start: int, end: int) -> None:
        state["value"] += data[start:end]

    def end_of_header() -> None:
        parts[-1][0].setdefault(state["name"].lower(), state["value"])
        state.update(name=b"", value=b"")

    parser = MultipartParser(
        boundary,
        {
            "on_part_begin": lambda: parts.append(({}, bytearray())),
            "on_part_data": lambda data, start, end: parts[-1][1].extend(data[start:end]),
            "on_header_field": field,
            "on_header_value": value,
            "on_header_end": end_of_header,
        },
    )
    try:
        parser.write(body)
    except MultipartParseError:
        return []
    found = []
    for headers, content in parts:
        line = b"Content-Disposition: " + headers.get(b"content-disposition", b"")
        message = BytesParser().parsebytes(line)
        if message.get_param("name", header="content-disposition") == "file":
            found.append(bytes(content))
    return found


TARGET = Target(
    opened,
    words=(b"POST /validate HTTP/1.1\r\n", b"GET /health HTTP/1.1\r\n", b"Content-Length: auto\r\n", b"Content-Type: ",
           b"multipart/form-data; boundary=x", b"Content-Disposition: form-data; ", b'name="file"', b'filename="',
           b"--x--", b"\r\n--x\r\n", b"\r\n\r\n", b"Transfer-Encoding: chunked\r\n", b"Expect: 100-continue\r\n",
           b"file*=utf-8''"),
    libraries=("email", "http"),
)  # fmt: skip
