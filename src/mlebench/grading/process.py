"""The harness's side of one grading worker."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.grading.requests import Answer

if TYPE_CHECKING:
    from mlebench.grading.requests import Request

MAX_ANSWER_BYTES = 1024**2
START_SECONDS = 600.0
"""Wall time that a worker has to accept a request; a new one imports pandas first."""


class WorkerProcess:
    """A running worker, which answers one request at a time."""

    def __init__(self) -> None:
        answers, theirs = os.pipe()
        read_end, lifeline = os.pipe()
        own = str(Path(__file__).resolve().parents[2])  # the package need not be installed
        paths = os.pathsep.join(filter(None, (own, os.environ.get("PYTHONPATH"))))
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "mlebench.grading.worker", str(theirs), str(read_end)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs, read_end),
                start_new_session=True,  # Ctrl-C is for the harness, which finishes grading first
                env=os.environ | {"PYTHONPATH": paths},
            )
        except BaseException:
            os.close(answers)
            os.close(lifeline)
            raise
        finally:
            os.close(theirs)
            os.close(read_end)
        self._answers = answers
        self._lifeline = lifeline
        self.has_accepted = False
        """Whether it has begun with its last request; if not, its end says nothing about the request."""

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def ask(self, request: Request) -> Answer | None:
        """Return the answer to a request; None if the process dies, or exceeds the wall time of the request."""
        assert self._process.stdin is not None
        self.has_accepted = False
        try:
            self._process.stdin.write(request.encode())
            self._process.stdin.flush()
        except OSError:
            return None
        self.has_accepted = self._read_line(START_SECONDS) is not None
        line = self._read_line(request.bounds.seconds) if self.has_accepted else None
        return None if line is None else Answer.decode(line)

    def _read_line(self, seconds: float) -> bytes | None:
        """Return the next line of the process, which sends one at a time; None if none comes in time."""
        deadline = time.monotonic() + seconds
        line = b""
        poll = select.poll()  # select.select refuses descriptors above 1023, and a large group has more
        poll.register(self._answers, select.POLLIN)
        while not line.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or len(line) > MAX_ANSWER_BYTES or not poll.poll(left * 1000):
                return None
            # An accepting line is empty, and an answer may follow it at once.
            if not (data := os.read(self._answers, MAX_ANSWER_BYTES if line else 1)):
                return None
            line += data
        return line

    def kill(self) -> None:
        """Kill the process and those that it has started. A thread that waits for an answer gets None."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Kill the process and forget it; no thread may wait for an answer."""
        self.kill()
        with suppress(OSError):
            self._process.communicate()
        os.close(self._answers)
        os.close(self._lifeline)
