"""One of two runs at the same time: the sender leaves a word wherever it can, the receiver looks for it there.

With HARMLESS_ONLY in its environment it leaves nothing that would outlive it.
"""

import ctypes
import os
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from attempts import LIBC, targets, tell

KNOWN = targets()
WORD, PORT = KNOWN["meeting"], KNOWN["meeting_port"]
HARMLESS = bool(os.environ.get("HARMLESS_ONLY"))
FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/run/lock", "/home", "/home/data", "/home/agent")
SENT, LOOKED = 11, 5
"""Seconds for which the word is there, and for which it is looked for."""


def answer(server):
    while True:
        client, _ = server.accept()
        client.sendall(WORD.encode())
        client.close()


def answer_datagrams(server):
    while True:
        _, client = server.recvfrom(100)
        server.sendto(WORD.encode(), client)


def say(*arguments):
    threading.Thread(target=arguments[0], args=arguments[1:], daemon=True).start()


def in_files():
    for folder in FOLDERS:
        try:
            Path(folder, WORD).write_text(WORD)
        except OSError:
            continue


def on_abstract_socket():
    server = socket.socket(socket.AF_UNIX)
    server.bind("\0" + WORD)
    server.listen()
    say(answer, server)


def on_loopback():
    say(answer, socket.create_server(("0.0.0.0", PORT)))


def by_datagrams():
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("0.0.0.0", PORT))
    say(answer_datagrams, server)


def in_shared_memory():
    """System V's, which has numbers and no files."""
    if not HARMLESS:
        LIBC.shmat.restype = ctypes.c_void_p
        here = LIBC.shmat(LIBC.shmget(PORT, 4096, 0o1666), None, 0)
        ctypes.memmove(here, WORD.encode(), len(WORD))


def sender():
    for plant in (in_files, on_abstract_socket, on_loopback, by_datagrams, in_shared_memory):
        try:
            plant()
        except OSError as error:
            print(f"{plant.__name__}: {error}", flush=True)
    tell("planted", False, str(time.time()))
    time.sleep(SENT)
    for folder in FOLDERS:
        with suppress(OSError):
            Path(folder, WORD).unlink()
    tell("left", False, str(time.time()))


def heard(family, kind, address):
    with socket.socket(family, kind) as client:
        client.settimeout(0.3)
        client.connect(address)
        client.send(b"?") if kind == socket.SOCK_DGRAM else None
        return client.recv(100).decode() == WORD


def word_in_files():
    return [folder for folder in FOLDERS if Path(folder, WORD).exists()]


def word_on_abstract_socket():
    return heard(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + WORD)


def word_on_loopback():
    return heard(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT))


def word_by_datagrams():
    return heard(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", PORT))


def word_in_shared_memory():
    return LIBC.shmget(PORT, 4096, 0o666) >= 0


def the_other_process():
    lines = (Path(f"/proc/{name}/cmdline").read_bytes() for name in os.listdir("/proc") if name.isdigit())
    return any(b"accomplice.py\0sender" in line for line in lines)


def receiver():
    ways = (
        word_in_files,
        word_on_abstract_socket,
        word_on_loopback,
        word_by_datagrams,
        word_in_shared_memory,
        the_other_process,
    )
    found, end = dict.fromkeys(ways, False), time.monotonic() + LOOKED
    while time.monotonic() < end:
        for way in ways:
            try:
                found[way] = found[way] or way()
            except OSError:
                continue
        time.sleep(0.1)
    for way, what in found.items():
        tell(way.__name__, bool(what), str(what))
    tell("looked", False, str(time.time()))


globals()[sys.argv[1]]()
