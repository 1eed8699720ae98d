"""Channels from the first process of a job to the harness: a pipe, or a Unix socket.

The job itself has no access to a channel. The pipe is closed before the job's command starts; the socket accepts one
connection, which the first process makes.
"""

from __future__ import annotations

import os
import socket
import struct
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from mlebench.sandbox.supervision.messages import Message, Waiting, parse_message

if TYPE_CHECKING:
    from pathlib import Path

_CHUNK_BYTES = 65536
_PEER = struct.Struct("3i")
"""`struct ucred`: process, user and group id."""


class Channel(Protocol):
    """A source of messages."""

    def fileno(self) -> int:
        """Return the descriptor to wait for. It may change, and is -1 when no message can come any more."""
        ...

    def receive(self) -> list[Message]:
        """Return the messages that have arrived, without waiting."""
        ...

    def send_config(self) -> None:
        """Send the config to the first process, which waits for it."""
        ...

    def close(self) -> None:
        """Close the channel; closing it again does nothing."""
        ...


class PipeChannel:
    """The reading end of a pipe whose writing end the sandbox inherits, and a pipe in the other direction.

    Parameters
    ----------
    source : int
        Where messages arrive.
    config : bytes
        What the first process is to read.
    """

    def __init__(self, source: int, config: bytes = b"") -> None:
        os.set_blocking(source, False)
        self.config_source, self._config_sink = os.pipe()
        """The first is the descriptor from which the first process reads the config. `Launch` closes it."""
        self._config = config
        self._source = source
        self._lines = _LineBuffer()

    def fileno(self) -> int:
        return self._source

    def receive(self) -> list[Message]:
        if self._source < 0:
            return []
        try:
            data = os.read(self._source, _CHUNK_BYTES)
        except BlockingIOError:
            return []
        if not data:
            self.close()
        return self._lines.add(data)

    def send_config(self) -> None:
        if self._config_sink >= 0:
            with suppress(BrokenPipeError), os.fdopen(self._config_sink, "wb") as file:
                file.write(self._config)
            self._config_sink = -1

    def close(self) -> None:
        for descriptor in (self._source, self._config_sink):
            if descriptor >= 0:
                os.close(descriptor)
        self._source = self._config_sink = -1


class SocketChannel:
    """A Unix socket in a private folder. The first process to connect gets the config; no second one can connect.

    Parameters
    ----------
    path : Path
        Where to listen; the folder must exist.
    config : bytes
        One line to send to the first process.
    """

    def __init__(self, path: Path, config: bytes) -> None:
        self._config = config
        self._lines = _LineBuffer()
        self._socket: socket.socket | None = socket.socket(socket.AF_UNIX)
        self._is_connected = False
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            self._socket.bind(f"/proc/self/fd/{folder}/{path.name}")  # the path itself may be too long for a socket
        finally:
            os.close(folder)
        path.chmod(0o666)
        self._socket.listen(1)
        self._socket.setblocking(False)

    def fileno(self) -> int:
        return self._socket.fileno() if self._socket else -1

    def receive(self) -> list[Message]:
        if not self._socket:
            return []
        if not self._is_connected:
            return self._accept()
        try:
            data = self._socket.recv(_CHUNK_BYTES)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        if not data:
            self.close()
        return self._lines.add(data)

    def send(self, line: str) -> None:
        """Send a line to the first process, if it is still there."""
        if self._socket and self._is_connected:
            with suppress(OSError):
                self._socket.send(line.encode() + b"\n")

    def close(self) -> None:
        if self._socket:
            self._socket.close()
            self._socket = None

    def send_config(self) -> None:
        if self._socket and self._is_connected:
            self._socket.setblocking(True)
            with suppress(OSError):
                self._socket.sendall(self._config + b"\n")
            self._socket.setblocking(False)

    def _accept(self) -> list[Message]:
        assert self._socket
        try:
            connection, _ = self._socket.accept()
        except BlockingIOError:
            return []
        self._socket.close()
        self._socket, self._is_connected = connection, True
        connection.setblocking(False)
        pid, _, _ = _PEER.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
        return [Waiting(pid or None)]


class _LineBuffer:
    """Cuts received bytes into lines, each of which is a message."""

    def __init__(self) -> None:
        self._rest = b""

    def add(self, data: bytes) -> list[Message]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [message for line in lines if (message := parse_message(line))]
