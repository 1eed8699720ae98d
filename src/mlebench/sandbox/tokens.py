"""Tokens: they name a job and the harness process that owns it, so that leftovers of a dead harness are found."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from mlebench.sandbox.kernel.process_table import Process, list_processes, read_process

TOKEN_VARIABLE = "MLEBENCH_JOB"
"""Environment variable that marks the processes of a job where no kernel namespace holds them together."""


class MarkedProcess(NamedTuple):
    """A process with a token in its environment."""

    process: Process
    token: str


def new_token() -> str:
    """Return a new token of the form `PID_NAMESPACE-PID-STARTED-RANDOM`."""
    this = read_process(os.getpid())
    started = this.started if this else 0
    return f"{_pid_namespace()}-{os.getpid()}-{started}-{secrets.token_hex(6)}"


def is_orphaned(token: str) -> bool:
    """Return whether the harness process that made a token is gone.

    Tokens of other PID namespaces, such as other containers, are never orphaned: their process ids mean nothing here.
    """
    try:
        namespace, pid, started = (int(part) for part in token.split("-")[:3])
    except ValueError:
        return False
    if namespace != _pid_namespace():
        return False
    owner = read_process(pid)
    return owner is None or owner.started != started


def list_marked_processes(token: str | None = None) -> list[MarkedProcess]:
    """Return the processes that carry this token, or any token, in their environment."""
    prefix = f"{TOKEN_VARIABLE}=".encode()
    found = []
    for process in list_processes():
        with suppress(OSError), Path(f"/proc/{process.pid}/environ").open("rb") as file:
            for item in file.read().split(b"\0"):
                value = item.removeprefix(prefix).decode(errors="replace")
                if item.startswith(prefix) and token in (None, value):
                    found.append(MarkedProcess(process, value))
    return found


def _pid_namespace() -> int:
    return Path("/proc/self/ns/pid").stat().st_ino
