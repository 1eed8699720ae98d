"""Running scripts, as processes of their own that do not outlive their time."""

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

_MOST_SIGNS = 100_000
"""Of the beginning, and of the end, of what a script prints."""
_FOR_THE_AGENT_ALONE = ("MODEL", "OPENAI", "ANTHROPIC")


def run_script(arguments: list[str], folder: Path, seconds: float, meanwhile: Callable[[], object]) -> str:
    """Run Python with these arguments in a folder and return what it printed; `meanwhile` is called now and then.

    Of a script that ends well that is its output, or its messages if it printed nothing; of one that fails, its
    messages and how it ended.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_FOR_THE_AGENT_ALONE)}
    end = time.monotonic() + seconds
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            [sys.executable, "-u", *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=messages,
            env=environment,
            start_new_session=True,
        )
        try:
            while process.poll() is None and time.monotonic() < end:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(min(5.0, max(0.0, end - time.monotonic())))
                meanwhile()
            late = process.poll() is None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        said, complained = _text(output), _text(messages)
    if late:
        return f"{said}\n{complained}\nThe script was stopped after {seconds:.0f} seconds.".strip()
    if process.returncode == 0:
        return said or complained or "The script printed nothing."
    how = (
        f"was killed by signal {-process.returncode}" if process.returncode < 0 else f"ended with {process.returncode}"
    )
    return f"{complained or said}\nThe script {how}.".strip()


def _text(file: IO[bytes]) -> str:
    """Return the beginning and the end of what was written."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    if size <= 2 * _MOST_SIGNS:
        return file.read().decode(errors="replace")
    first = file.read(_MOST_SIGNS)
    file.seek(size - _MOST_SIGNS)
    return f"{first.decode(errors='replace')}\n[...]\n{file.read().decode(errors='replace')}"
