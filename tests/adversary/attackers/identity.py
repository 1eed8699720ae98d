"""Looks for the name of the competition in everything that the kernel and the sandbox tell about a run.

The argument is the name in hexadecimal, so that this attacker itself does not tell it. It only reads, so it does the
same with HARMLESS_ONLY in its environment.
"""

import os
import socket
import sys
from pathlib import Path

from attempts import attempt

NAME = bytes.fromhex(sys.argv[1]).decode()
PROC = Path("/proc")
OWN = Path(__file__).parent
SYSTEM = ("/usr", "/opt/venv", "/lib", "/proc", "/sys", sys.prefix, sys.base_prefix)
"""Programs and libraries, which are the same for all competitions."""


def tells(text):
    return NAME in text.casefold().replace("_", "-")


def telling_files(*names):
    """Return the files of these names in /proc, of all processes, that contain the name."""
    found = []
    for process in (*(entry for entry in PROC.iterdir() if entry.name.isdigit()), PROC / "self"):
        for name in names:
            try:
                content = (process / name).read_bytes()
            except OSError:
                continue
            found += [f"{process}/{name}"] if tells(content.decode(errors="replace")) else []
    return found


@attempt
def variables():
    return [name for name, value in os.environ.items() if tells(name + value)]


@attempt
def environments():
    return telling_files("environ")


@attempt
def mounts():
    return telling_files("mountinfo", "mounts", "mountstats")


@attempt
def names_of_control_groups():
    return telling_files("cgroup", "cpuset")


@attempt
def names_of_processes():
    return telling_files("cmdline", "comm", "stat", "status")


@attempt
def mapped_files():
    return telling_files("maps")


@attempt
def open_files():
    found = []
    for folder in (*PROC.glob("[0-9]*/fd"), *PROC.glob("[0-9]*/map_files"), *PROC.glob("[0-9]*")):
        try:
            links = [entry for entry in folder.iterdir() if entry.is_symlink()]
            found += [str(link) for link in links if tells(os.readlink(link))]
        except OSError:
            continue
    return found


@attempt
def names_of_files():
    found, folders = [], ["/"]
    while folders and len(found) < 10:
        folder = folders.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        found += [entry.path for entry in entries if tells(entry.name)]
        inner = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        folders += [path for path in inner if not path.startswith(SYSTEM) and Path(path) != OWN]
    return found


@attempt
def names_of_the_machine_and_its_sockets():
    texts = (socket.gethostname(), Path("/proc/net/unix").read_text(errors="replace"))
    return [text for text in texts if tells(text)]
