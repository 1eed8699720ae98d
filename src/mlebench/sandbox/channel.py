"""How the first process inside a sandbox talks with the harness: one JSON object a line.

The job itself has no access to it: the pipe is closed before the job's command starts, and of the socket only
the first process has the one connection that is ever accepted.
"""

from __future__ import annotations

import json
import os
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path


class Channel(Protocol):
    """Where facts come from; `fileno` may change, and is -1 when nothing can come any more."""

    def fileno(self) -> int: ...

    def receive(self) -> list[dict[str, Any]]:
        """Return the facts that have come, without waiting."""
        ...

    def close(self) -> None: ...


class PipeChannel:
    """The reading end of a pipe whose writing end the sandbox inherits."""

    def __init__(self, source: int) -> None:
        os.set_blocking(source, False)
        self._source = source
        self._rest = b""

    def fileno(self) -> int:
        return self._source

    def receive(self) -> list[dict[str, Any]]:
        if self._source < 0:
            return []
        try:
            data = os.read(self._source, 65536)
        except BlockingIOError:
            return []
        if not data:
            self.close()
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [json.loads(line) for line in lines]

    def close(self) -> None:
        if self._source >= 0:
            os.close(self._source)
            self._source = -1


class SocketChannel:
    """A Unix socket in a private folder: whoever comes first gets the plan, and nobody comes second."""

    def __init__(self, path: Path, plan: bytes) -> None:
        self._plan = plan
        self._rest = b""
        self._socket: socket.socket | None = socket.socket(socket.AF_UNIX)
        self._connected = False
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            self._socket.bind(f"/proc/self/fd/{folder}/{path.name}")  # the name itself may be too long
        finally:
            os.close(folder)
        path.chmod(0o666)
        self._socket.listen(1)
        self._socket.setblocking(False)

    def fileno(self) -> int:
        return self._socket.fileno() if self._socket else -1

    def receive(self) -> list[dict[str, Any]]:
        if not self._socket:
            return []
        if not self._connected:
            self._accept()
            return []
        try:
            data = self._socket.recv(65536)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        if not data:
            self.close()
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [json.loads(line) for line in lines]

    def send(self, word: str) -> None:
        """Say one word to the first process, if it is still there."""
        if self._socket and self._connected:
            with suppress(OSError):
                self._socket.send(word.encode() + b"\n")

    def close(self) -> None:
        if self._socket:
            self._socket.close()
            self._socket = None

    def _accept(self) -> None:
        assert self._socket
        with suppress(BlockingIOError):
            connection, _ = self._socket.accept()
            self._socket.close()
            self._socket, self._connected = connection, True
            with suppress(OSError):
                connection.sendall(self._plan + b"\n")
            connection.setblocking(False)
