"""Grading in a process of its own, so that no submission can take the harness down or eat its memory."""

from __future__ import annotations

import multiprocessing
import resource
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from mlebench.errors import MLEBenchError, RunError
from mlebench.reports import Outcome, Verdict

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from mlebench.competition import Competition
    from mlebench.registry import Registry

SECONDS = 3600.0
MEMORY = 16 * 1024**3
"""Bytes of address space that grading may take."""


class GradingProcess:
    """Grades submissions one after the other in another process, which is replaced when it dies or hangs."""

    def __init__(self, registry: Registry, *, seconds: float = SECONDS) -> None:
        self._registry = registry
        self._seconds = seconds
        self._lock = threading.Lock()
        self._process: Any = None
        self._pipe: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def judge(self, path: Path, competition: Competition) -> Verdict:
        """Grade one submission; a grading that dies or hangs is a failed one."""
        with self._lock:
            if self._process is None:
                self._start()
            try:
                self._pipe.send((str(path), competition.label))
                answer = self._pipe.recv() if self._pipe.poll(self._seconds) else None
            except (EOFError, OSError):
                answer = None
            if answer is None:
                self._stop()
                return self._failed(path, competition)
        if isinstance(answer, str):
            return Verdict.model_validate_json(answer)
        raise RunError(f"{competition.label} could not be graded: {answer[0]}")

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._registry), daemon=True)
        # Ctrl-C reaches the whole process group, but the harness alone decides what it means. The mask is inherited.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()

    def _stop(self) -> None:
        if self._process is None:
            return
        self._pipe.close()
        self._process.kill()
        self._process.join()
        self._process = None

    def _failed(self, path: Path, competition: Competition) -> Verdict:
        """Return the verdict on a submission that took the grading process down."""
        from mlebench.grade import judge

        bounds = f"{self._seconds:.0f} seconds or {MEMORY // 1024**3} GiB of memory"
        nothing = judge(path.parent / "nothing.csv", competition)
        return nothing.model_copy(
            update={
                "outcome": Outcome.FAILED,
                "reason": f"Grading died, or took more than {bounds}.",
                "submission_path": str(path),
            }
        )


def _serve(pipe: Connection, registry: Registry) -> None:
    """Answer with the verdict as JSON, or with a tuple of one sentence when there can be none."""
    from mlebench.grade import judge

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    bound = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
    while True:
        try:
            path, label = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            pipe.send(judge(Path(path), registry.get_competition(label)).model_dump_json())
        except MLEBenchError as error:
            pipe.send((str(error),))
