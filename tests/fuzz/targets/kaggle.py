"""Kaggle's answers: HTTP responses with JSON, pages, notebooks, leaderboards and archives."""

from __future__ import annotations

import os
import shutil
import socket
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING
from unittest.mock import patch

from mlebench.errors import MLEBenchError
from mlebench.kaggle import KaggleClient, RetryPolicy
from mlebench.kaggle.description import describe
from mlebench.kaggle.leaderboards import compare
from mlebench.kaggle.notebooks import fetch_notebooks
from mlebench.tasks.registry import Registry

from ...kaggle.server import KEY, NAME
from ..json_mutations import mutate_lines
from ..target import Target, with_length

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ID = "leaf-classification"
POLICY = RetryPolicy(
    max_attempts=2, max_interruptions=2, backoff=0, max_rate_limit_wait=0, connect_timeout=60, read_timeout=60
)
SEPARATOR = b"\n=====\n"
REFUSAL = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Answers:
    """A server that answers each connection with the next bytes, and notes the requests."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.answers: list[bytes] = []
        self.requests: list[bytes] = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                with connection, suppress(OSError):
                    self.requests.append(read_request(connection))
                    connection.sendall(self.answers.pop(0) if self.answers else REFUSAL)
                    connection.shutdown(socket.SHUT_WR)

    def environment(self) -> dict[str, str]:
        """Return variables that send all requests here, whatever their address."""
        proxy = f"http://127.0.0.1:{self.port}"
        proxies = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), proxy)
        private = ("kaggle", "proxy")
        kept = {name: value for name, value in os.environ.items() if not any(word in name.lower() for word in private)}
        return kept | proxies | {"KAGGLE_API_ENVIRONMENT": "LOCALHOST", "KAGGLE_USERNAME": NAME, "KAGGLE_KEY": KEY}


def read_request(connection: socket.socket) -> bytes:
    """Read a request with a body of a given length."""
    data = b""
    while b"\r\n\r\n" not in data and (more := connection.recv(65536)):
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    length = int(lengths[0].partition(b":")[2]) if lengths else 0
    while len(body) < length and (more := connection.recv(65536)):
        body += more
    return head


@contextmanager
def opened(folder: Path, data: Path) -> Iterator[Callable[[bytes], None]]:
    server = Answers()
    competition = Registry(data).get_competition(ID)

    def take(content: bytes) -> None:
        call, _, rest = content.partition(b"\n")
        function = CALLS.get(call.decode("latin-1"))
        if function is None:
            return
        server.answers = [with_length(answer) for answer in rest.split(SEPARATOR)]
        server.requests.clear()
        place = folder / "place"
        place.mkdir()
        try:
            with suppress(MLEBenchError):
                function(KaggleClient(POLICY), place, competition)
            assert all(path.parent == place and path.is_file() for path in place.rglob("*"))
        finally:
            shutil.rmtree(place)
        here = b"//localhost", b"//127.0.0.1:%d" % server.port, b"/"
        for request in server.requests:
            target = request.split(b" ", 2)[1:2]
            secret = b"authorization:" in request.lower() and not request.startswith(b"CONNECT")
            assert not secret or target[0].partition(b":")[2].startswith(here) or target[0].startswith(b"/"), request

    with patch.dict(os.environ, server.environment(), clear=True):
        yield take
    server.listener.close()


def download(client: KaggleClient, place: Path, _: object) -> None:
    client.download(ID, place / "archive.zip")


def leaderboard(client: KaggleClient, *_: object) -> None:
    scores = client.leaderboard(ID)
    assert all(isinstance(score, float) for score in scores)
    _ = compare(ID, [1.0, 0.5], scores).summary


CALLS: dict[str, Callable[..., object]] = {
    "whoami": lambda client, *_: client.whoami(),
    "competition": lambda client, *_: client.competition(ID),
    "files": lambda client, *_: client.files(ID),
    "archive_size": lambda client, *_: client.archive_size(ID),
    "survey": lambda client, *_: client.survey([ID]),
    "pages": lambda client, _, competition: describe(client, competition),
    "leaderboard": leaderboard,
    "notebooks": lambda client, place, _: fetch_notebooks(client, ["a/b", "c/d"], place),
    "scores": lambda client, *_: client.submission_scores(ID, 5),
    "find": lambda client, *_: client.find_submission(ID, "words"),
    "download": download,
}

TARGET = Target(
    opened,
    words=(b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 302 Found\r\n", b"HTTP/1.1 429 \r\n", b"HTTP/1.1 403 \r\n",
           b"Location: http://", b"Content-Length: auto\r\n", b"Content-Type: application/json\r\n", b"Retry-After: ",
           SEPARATOR, b"ETag: ",
           b"Content-Range: bytes 0-1/2\r\n", b"x-goog-hash: md5=", b"\r\n\r\n", b'"nextPageToken":"a"',
           b'"code":', b"\xb2",
           *(f"{call}\n".encode() for call in CALLS)),
    libraries=("kagglesdk",),
    mutate=mutate_lines,
)  # fmt: skip
