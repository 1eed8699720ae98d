"""Run scripts in separate processes that end at their time limit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_MAX_BYTES = 100_000
"""Bytes at the beginning, and at the end, of a script's output that are kept."""
_AGENT_VARIABLES = ("MODEL", "OPENAI", "ANTHROPIC")


def run_script(arguments: list[str], folder: Path, seconds: float, meanwhile: Callable[[], object]) -> str:
    """Run Python with arguments in a folder and return its output; `meanwhile` is called every few seconds.

    For a script that succeeds, that is its stdout, or its stderr if stdout is empty; for one that fails, its stderr and
    how it ended.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_AGENT_VARIABLES)}
    end = time.monotonic() + seconds
    with tempfile.TemporaryFile() as stdout_file, tempfile.TemporaryFile() as stderr_file:
        process = subprocess.Popen(
            [sys.executable, "-u", *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=stdout_file,
            stderr=stderr_file,
            env=environment,
            start_new_session=True,
        )
        try:
            while process.poll() is None and time.monotonic() < end:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(min(5.0, max(0.0, end - time.monotonic())))
                meanwhile()
            timed_out = process.poll() is None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        stdout, stderr = _read_ends(stdout_file), _read_ends(stderr_file)
    if timed_out:
        return f"{stdout}\n{stderr}\nThe script was stopped after {seconds:.0f} seconds.".strip()
    if process.returncode == 0:
        return stdout or stderr or "The script printed nothing."
    how = (
        f"was killed by signal {-process.returncode}" if process.returncode < 0 else f"ended with {process.returncode}"
    )
    return f"{stderr or stdout}\nThe script {how}.".strip()


def _read_ends(file: IO[bytes]) -> str:
    """Return the beginning and the end of a file."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    if size <= 2 * _MAX_BYTES:
        return file.read().decode(errors="replace")
    first = file.read(_MAX_BYTES)
    file.seek(size - _MAX_BYTES)
    return f"{first.decode(errors='replace')}\n[...]\n{file.read().decode(errors='replace')}"
