"""Everything that can be at a path instead of a file; an agent of a test can run this module's source, too."""

import os
import socket
import stat
from contextlib import suppress
from pathlib import Path

TEXT = "neither,a submission\n"
NAMES = (b"submission.csv", b"at_the_end.csv", b".partial", b"\xff\xfe", b"new\nline", b"n" * 255)
"""Names in a full folder."""


def _socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the address of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.chdir(here)


def _device(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))  # /dev/zero
    except PermissionError:
        os.mkfifo(path)


def _full_folder(path: Path) -> None:
    path.mkdir()
    for name in NAMES:
        (path / os.fsdecode(name)).write_text(TEXT)
    (path / "up").symlink_to("..")


def _deep_folder(path: Path) -> None:
    for _ in range(60):
        path.mkdir()
        path /= "d"


def _closed_folder(path: Path) -> None:
    _full_folder(path)
    path.chmod(0)


def _closed_file(path: Path) -> None:
    path.write_text(TEXT)
    path.chmod(0)


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        for size in (60_000_000, 10**12):  # a job may not make larger files than its limit
            with suppress(OSError):
                file.truncate(size)


def _hard_link(path: Path) -> None:
    other = path.with_name(f"{path.name}.other")
    other.write_text(TEXT)
    path.hardlink_to(other)


ODDITIES = {
    "missing": lambda path: None,
    "folder": Path.mkdir,
    "full folder": _full_folder,
    "deep folder": _deep_folder,
    "closed folder": _closed_folder,
    "pipe": os.mkfifo,
    "socket": _socket,
    "device": _device,
    "link to a file": lambda path: path.symlink_to("/etc/passwd"),
    "link to a folder": lambda path: path.symlink_to("/"),
    "dangling link": lambda path: path.symlink_to("nowhere"),
    "loop": lambda path: path.symlink_to(path.name),
    "hard link": _hard_link,
    "empty": Path.touch,
    "huge": _huge,
    "closed file": _closed_file,
    "bytes": lambda path: path.write_bytes(b"\xff\xfe\x00,\x00\n" * 10),
    "file": lambda path: path.write_text(TEXT),
}
"""By the name of the kind: a function that makes it at a path that does not exist."""
