"""The memory that data takes in the sockets of a job: sent, and not yet received."""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLONE_NEWNET = 0x40000000
_NETLINK_SOCK_DIAG = 4
_SOCK_DIAG_BY_FAMILY = 20
_NLM_F_REQUEST, _NLM_F_DUMP = 0x1, 0x300
_NLMSG_DONE, _NLMSG_ERROR = 3, 2
_ALL_STATES = 0xFFFFFFFF
_BUFFER_BYTES = 1 << 18
_DATAGRAMS = 11
"""Messages that the queue of a datagram socket holds by default. The kernel tells the length of the first only."""
_HEADER = struct.Struct("=IHHII")
_ATTRIBUTE = struct.Struct("=HH")


class _Kind(NamedTuple):
    """A family of sockets, and how the kernel describes them; see sock_diag(7)."""

    request: bytes
    size: int
    """Bytes of an answer before its attributes."""
    memory: int
    """Number of the attribute with the memory, and of the one with the queues, where there is one."""
    queues: int | None = None


def _inet(family: int, protocol: int) -> _Kind:
    return _Kind(struct.pack("=BBBxI48x", family, protocol, 1 << 6, _ALL_STATES), 72, 7)


_KINDS = (
    _Kind(struct.pack("=BBHIII8s", socket.AF_UNIX, 0, 0, _ALL_STATES, 0, 0x10 | 0x20, b"\xff" * 8), 16, 5, 4),
    *(
        _inet(family, protocol)
        for family in (socket.AF_INET, socket.AF_INET6)
        for protocol in (socket.IPPROTO_TCP, socket.IPPROTO_UDP)
    ),
)


class SocketMeter:
    """Measures the sockets of one network namespace, including those that no process has open.

    Only root can look into the namespace of a job; otherwise nothing is measured.

    Parameters
    ----------
    pid : int
        A process in the namespace.
    """

    def __init__(self, pid: int) -> None:
        self._socket: socket.socket | None = None
        thread = threading.Thread(target=self._open, args=(pid,))
        thread.start()
        thread.join()

    def measure(self) -> int:
        """Return the bytes in the queues of all sockets."""
        with suppress(OSError):
            return sum(_read_bytes(kind, answer) for kind in _KINDS for answer in self._dump(kind))
        return 0

    def close(self) -> None:
        """Close what is open; closing again does nothing."""
        if self._socket:
            self._socket.close()
            self._socket = None

    def _open(self, pid: int) -> None:
        """Open a socket in the namespace; only this thread enters it, and ends."""
        with suppress(OSError):
            namespace = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
            try:
                if ctypes.CDLL(None).setns(namespace, _CLONE_NEWNET) == 0:
                    self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _NETLINK_SOCK_DIAG)
            finally:
                os.close(namespace)

    def _dump(self, kind: _Kind) -> Iterator[bytes]:
        """Yield what the kernel tells about each socket of a kind."""
        if not self._socket:
            return
        flags = _NLM_F_REQUEST | _NLM_F_DUMP
        size = _HEADER.size + len(kind.request)
        self._socket.send(_HEADER.pack(size, _SOCK_DIAG_BY_FAMILY, flags, 0, 0) + kind.request)
        while True:
            data = self._socket.recv(_BUFFER_BYTES)
            while data:
                length, message, *_ = _HEADER.unpack_from(data)
                if message in (_NLMSG_DONE, _NLMSG_ERROR):
                    return
                yield data[_HEADER.size : length]
                data = data[(length + 3) & ~3 :]


def _read_bytes(kind: _Kind, answer: bytes) -> int:
    """Return the bytes that a socket holds."""
    attributes = {}
    place = kind.size
    while place + _ATTRIBUTE.size <= len(answer):
        length, name = _ATTRIBUTE.unpack_from(answer, place)
        attributes[name] = answer[place + _ATTRIBUTE.size : place + length]
        place += max(_ATTRIBUTE.size, (length + 3) & ~3)
    held = queued = 0
    if len(memory := attributes.get(kind.memory, b"")) >= 24:
        received, _, sent, _, _, waiting = struct.unpack_from("=6I", memory)
        held = received + max(sent, waiting)
    if kind.queues is not None and len(queues := attributes.get(kind.queues, b"")) >= 4:
        # What a socket has sent counts as its own until it is closed, and is then found at the receiver only.
        queued = struct.unpack_from("=I", queues)[0] * (_DATAGRAMS if answer[1] == socket.SOCK_DGRAM else 1)
    return max(held, queued)
