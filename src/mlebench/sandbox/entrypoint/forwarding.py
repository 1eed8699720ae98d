"""Port forwards: TCP ports on the sandbox's loopback interface that lead to Unix sockets of the harness."""

from __future__ import annotations

import os
import signal
import socket
import threading
from contextlib import suppress

_CHUNK_BYTES = 65536


def listen(port: int, *, any_port: bool) -> socket.socket:
    """Listen on a port of the loopback interface; if it is taken, on a free one if `any_port` allows that."""
    try:
        return socket.create_server(("127.0.0.1", port), backlog=64)
    except OSError:
        if not any_port:
            raise
        return socket.create_server(("127.0.0.1", 0), backlog=64)


def serve(listener: socket.socket, path: str) -> None:
    """Accept connections forever and relay each to the Unix socket at `path`."""
    while True:
        client, _ = listener.accept()
        try:
            threading.Thread(target=_relay, args=(client, path), daemon=True).start()
        except RuntimeError:  # the job has used up its processes
            client.close()


def fork_forwarder(listeners: list[tuple[socket.socket, str]], close: int) -> None:
    """Serve port forwards in a separate process.

    The process is an orphan: a command that waits for all its children must not see it.

    Parameters
    ----------
    listeners : list of (socket, str)
        Listening sockets with the paths of their Unix sockets.
    close : int
        File descriptor that the process must not keep open.
    """
    middle = os.fork()
    if middle:
        os.waitpid(middle, 0)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    os.close(close)
    try:
        _serve_all(listeners)
    finally:
        os._exit(1)


def _serve_all(listeners: list[tuple[socket.socket, str]]) -> None:
    """Serve all port forwards; never return."""
    # The job gets SIGTERM at its time limit and may still want to check its submission.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(null, descriptor)
    threads = [threading.Thread(target=serve, args=pair, daemon=True) for pair in listeners]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _relay(client: socket.socket, path: str) -> None:
    """Relay a connection in both directions until both have ended."""
    with client, socket.socket(socket.AF_UNIX) as server:
        try:
            server.connect(path)
        except OSError:
            return
        response = threading.Thread(target=_copy, args=(server, client), daemon=True)
        response.start()
        _copy(client, server)
        response.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Copy one direction of a connection until it ends."""
    # A target that accepts no more data must not end the other direction: a server may reject an upload before its
    # end, and its response is still to come. So the rest is read and dropped.
    is_open = True
    with suppress(OSError):
        while data := source.recv(_CHUNK_BYTES):
            if is_open:
                try:
                    target.sendall(data)
                except OSError:
                    is_open = False
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
