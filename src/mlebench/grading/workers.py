"""A bounded number of grading workers, which do one request at a time each.

A worker starts when it is needed. It is replaced when it dies, hangs or keeps too much memory.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from mlebench.errors import RunError
from mlebench.grading.process import WorkerProcess
from mlebench.grading.requests import Answer, GiB
from mlebench.ground.turns import Turns

if TYPE_CHECKING:
    from mlebench.grading.requests import Request

MAX_KEPT_MEMORY = GiB
"""Memory that a worker may keep for its next request."""
MAX_STARTS = 3
"""Workers that may end without having begun with a request, such as idle ones that the system killed."""


class Workers:
    """Workers for one kind of requests. Thread-safe.

    Parameters
    ----------
    number : int
        How many requests are done at the same time.
    reserved : int
        How many workers do urgent requests only.
    """

    def __init__(self, number: int, *, reserved: int = 0) -> None:
        self._turns = Turns(number, reserved=reserved)
        self._lock = threading.Lock()
        self._idle: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        self._is_closed = False

    def ask(self, request: Request, *, urgent: bool = True) -> Answer:
        """Wait for a worker and return its answer; `exceeded` is set if it dies or takes too long.

        A failure of this machine that the worker meets is raised here, as OSError.
        """
        with self._turns.take(urgent=urgent):
            for _ in range(MAX_STARTS):
                process = self._start()
                began = time.monotonic()
                answer = None
                try:
                    answer = process.ask(request)
                finally:
                    self._release(process, keep=answer is not None and answer.memory <= MAX_KEPT_MEMORY)
                if answer is None and process.has_accepted:
                    seconds = min(time.monotonic() - began, request.bounds.cpu_seconds or request.bounds.seconds)
                    return Answer(exceeded=True, cpu_seconds=seconds)
                if answer is not None and answer.failure is not None:
                    raise OSError(*answer.failure)
                if answer is not None:
                    return answer
            raise RunError(f"A grading worker ended before it could begin, {MAX_STARTS} times. Is memory or disk full?")

    def close(self) -> None:
        """Kill all workers. Requests that wait or are under way fail."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            for process in self._busy:
                process.kill()
        for process in idle:
            process.close()

    def _start(self) -> WorkerProcess:
        """Return an idle worker, or a new one."""
        while True:
            with self._lock:
                if self._is_closed:
                    raise RunError("The harness ends, so nothing is graded or checked any more.")
                process = self._idle.pop() if self._idle else None
            process = process or WorkerProcess()  # without the lock, which others need to give workers back
            with self._lock:
                if process.is_alive and not self._is_closed:
                    self._busy.add(process)
                    return process
            process.close()

    def _release(self, process: WorkerProcess, *, keep: bool) -> None:
        """Keep a worker for the next request, or kill it."""
        with self._lock:
            self._busy.remove(process)
            keep = keep and not self._is_closed
            if keep:
                self._idle.append(process)
        if not keep:
            process.close()
