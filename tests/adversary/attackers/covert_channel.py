"""One of two runs at the same time: the sender leaves a message wherever it can, and the receiver looks for it.

With HARMLESS_ONLY in its environment, the sender leaves nothing that outlives it.
"""

import ctypes
import os
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from attempts import LIBC, report, targets

KNOWN = targets()
MESSAGE, PORT = KNOWN["meeting"], KNOWN["meeting_port"]
HARMLESS = bool(os.environ.get("HARMLESS_ONLY"))
FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/run/lock", "/home", "/home/data", "/home/agent")
LOOKING_SECONDS = 2


def wait_for(signal):
    """Wait until the test creates a file of this name in the data folder."""
    while not Path(os.environ["DATA_DIR"], signal).exists():
        time.sleep(0.05)


def answer(server):
    while True:
        client, _ = server.accept()
        client.sendall(MESSAGE.encode())
        client.close()


def answer_datagrams(server):
    while True:
        _, client = server.recvfrom(100)
        server.sendto(MESSAGE.encode(), client)


def in_background(function, *arguments):
    threading.Thread(target=function, args=arguments, daemon=True).start()


def leave_in_files():
    for folder in FOLDERS:
        try:
            Path(folder, MESSAGE).write_text(MESSAGE)
        except OSError:
            continue


def leave_on_abstract_socket():
    server = socket.socket(socket.AF_UNIX)
    server.bind("\0" + MESSAGE)
    server.listen()
    in_background(answer, server)


def leave_on_loopback():
    in_background(answer, socket.create_server(("0.0.0.0", PORT)))


def leave_for_datagrams():
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("0.0.0.0", PORT))
    in_background(answer_datagrams, server)


def leave_in_shared_memory():
    """Use System V shared memory, which has numbers and no files."""
    if not HARMLESS:
        LIBC.shmat.restype = ctypes.c_void_p
        here = LIBC.shmat(LIBC.shmget(PORT, 4096, 0o1666), None, 0)
        ctypes.memmove(here, MESSAGE.encode(), len(MESSAGE))


def sender():
    for leave in (
        leave_in_files,
        leave_on_abstract_socket,
        leave_on_loopback,
        leave_for_datagrams,
        leave_in_shared_memory,
    ):
        try:
            leave()
        except OSError as error:
            print(f"{leave.__name__}: {error}", flush=True)
    report("planted", False, str(time.time()))
    wait_for("end")
    report("removed", False, str(time.time()))
    for folder in FOLDERS:
        with suppress(OSError):
            Path(folder, MESSAGE).unlink()


def received(family, kind, address):
    with socket.socket(family, kind) as client:
        client.settimeout(0.3)
        client.connect(address)
        client.send(b"?") if kind == socket.SOCK_DGRAM else None
        return client.recv(100).decode() == MESSAGE


def files():
    return [folder for folder in FOLDERS if Path(folder, MESSAGE).exists()]


def abstract_socket():
    return received(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + MESSAGE)


def loopback():
    return received(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT))


def datagrams():
    return received(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", PORT))


def shared_memory():
    return LIBC.shmget(PORT, 4096, 0o666) >= 0


def processes():
    lines = (Path(f"/proc/{name}/cmdline").read_bytes() for name in os.listdir("/proc") if name.isdigit())
    return any(b"covert_channel.py\0sender" in line for line in lines)


def receiver():
    wait_for("look")
    channels = (files, abstract_socket, loopback, datagrams, shared_memory, processes)
    found, end = dict.fromkeys(channels, False), time.monotonic() + LOOKING_SECONDS
    while time.monotonic() < end:
        for channel in channels:
            try:
                found[channel] = found[channel] or channel()
            except OSError:
                continue
        time.sleep(0.1)
    for channel, what in found.items():
        report(channel.__name__, bool(what), str(what))
    report("looked", False, str(time.time()))


globals()[sys.argv[1]]()
