"""What the first process of a job tells the harness, and bubblewrap before it."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamespaceStarted:
    """bubblewrap has started the first process of the job's PID namespace."""

    pid: int
    """Its process id, as the harness sees it."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The first process of the job has started in its surroundings, and waits for the config."""

    pid: int | None = None
    """Its process id, as the harness sees it, if the kernel tells."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The job's command is about to start."""

    ports: tuple[int, ...]
    """Ports of the job's port forwards, in their order."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The job's command has ended in a container."""

    exit_code: int
    kills: int
    """Processes that the kernel killed because memory ran out."""
    refused: int
    """Processes that the kernel refused to start."""


Message = NamespaceStarted | Waiting | Ready | Ended


def parse_message(line: bytes) -> Message | None:
    """Return the message in a line of JSON, or None for other lines of bubblewrap."""
    fields = json.loads(line)
    if "child-pid" in fields:
        return NamespaceStarted(fields["child-pid"])
    if "waiting" in fields:
        return Waiting()
    if "ready" in fields:
        return Ready(tuple(fields["ports"]))
    if "ended" in fields:
        return Ended(fields["ended"], kills=fields["kills"], refused=fields["refused"])
    return None
