"""What the first process and the harness tell each other, one line each. Reports to the harness are JSON objects."""

from __future__ import annotations

import json

TERMINATE = "terminate"
"""The only thing that the harness says after the config, in a container: send SIGTERM to all processes of the job."""


def report_waiting() -> bytes:
    """Return the report that the surroundings of the job are there, and that the config may come.

    The harness can still change the surroundings. A container reports the same by connecting.
    """
    return _line({"waiting": True})


def report_ready(ports: list[int]) -> bytes:
    """Return the report that the command is about to start, with the ports of the forwards."""
    return _line({"ready": True, "ports": ports})


def report_ended(exit_code: int, *, kills: int, refused: int) -> bytes:
    """Return the report that the command has ended.

    Parameters
    ----------
    exit_code : int
        As a shell gives it: 128 plus the signal for a killed command.
    kills : int
        Processes that the kernel killed because memory ran out.
    refused : int
        Processes that the kernel refused to start.
    """
    return _line({"ended": exit_code, "kills": kills, "refused": refused})


def _line(message: dict[str, object]) -> bytes:
    return json.dumps(message).encode() + b"\n"
