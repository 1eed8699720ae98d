"""A grading worker: a process that reads requests from standard input and answers on a pipe of its own.

So output of a task's code does no harm. The worker ends with the harness, also in the middle of a request and also if
the harness is killed.
"""

from __future__ import annotations

import errno
import fcntl
import io
import math
import os
import resource
import select
import signal
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import InvalidSubmissionError, MLEBenchError
from mlebench.grading.check import VALID, refusal, require_valid
from mlebench.grading.requests import Answer, Request
from mlebench.ground.files import is_machine_failure
from mlebench.ground.loading import LazyFunction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.grading.requests import Bounds
    from mlebench.tasks.competition import Competition

NICENESS = 5
"""Agents have limits of time, so workers give way to them."""


def main() -> None:
    """Answer each line of standard input. The command line names the descriptors for answers and of the lifeline."""
    out, lifeline = map(int, sys.argv[1:])
    _end_with_harness(lifeline)
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    _load_libraries()
    with os.fdopen(out, "wb") as answers:
        for line in iter(sys.stdin.buffer.readline, b""):
            answers.write(b"\n")  # from now on, its end is the end of the request
            answers.flush()
            began = time.process_time()
            answer = _fulfil(Request.decode(line))
            seconds = time.process_time() - began
            answers.write(replace(answer, cpu_seconds=seconds, memory=_pages_of_memory()[1]).encode())
            answers.flush()


def _load_libraries() -> None:
    """Load what every request needs, so that no submission is charged for it: pandas loads much at its first table."""
    import mlebench.tasks.shape  # noqa: F401
    from mlebench.ground.tables import read_csv

    read_csv(io.BytesIO(b"id,text,number\n1,a,0.5\n"))


def _fulfil(request: Request) -> Answer:
    """Do what a request asks for, within its bounds."""
    from mlebench.tasks.ref import TaskRef, Version
    from mlebench.tasks.registry import Registry

    registry = Registry(Path(request.data_dir), tuple(map(Path, request.folders)))
    try:
        competition = registry.get_competition(request.competition)
        if request.data_version is not None:
            ref = TaskRef(competition.id, Version(request.data_version))
            competition = competition.on_data_of(registry.get_competition(ref.label))
        fulfil = _judge if request.kind == "judge" else _check
        return fulfil(Path(request.path), competition, request.bounds)
    except MLEBenchError as error:
        return Answer(error=str(error))
    except OSError as error:
        if not is_machine_failure(error) or error.errno is None:
            raise
        return Answer(failure=(error.errno, os.strerror(error.errno), error.filename and str(error.filename)))


def _judge(path: Path, competition: Competition, bounds: Bounds) -> Answer:
    from mlebench.grading.judge import judge

    with _within(bounds):
        return Answer(verdict=judge(path, competition).model_dump_json())


def _check(path: Path, competition: Competition, bounds: Bounds) -> Answer:
    try:
        if isinstance(competition.check, LazyFunction):
            competition.check.load()
        with _within(bounds):
            require_valid(path, competition)
    except InvalidSubmissionError as error:
        return Answer(exceeded=True) if _lacked_memory(error) else Answer(message=refusal(error))
    except Exception as error:  # third-party checks may raise anything
        if is_machine_failure(error) and not _lacked_memory(error):
            raise
        return Answer(exceeded=True) if _lacked_memory(error) else Answer(error=repr(error))
    return Answer(message=VALID)


def _lacked_memory(error: BaseException | None) -> bool:
    """Return whether an exception, or one that led to it, tells that memory could not be reserved."""
    while error is not None:
        of_system = isinstance(error, OSError) and error.errno == errno.ENOMEM
        of_pandas = type(error).__name__ == "ParserError" and "out of memory" in str(error)
        if isinstance(error, MemoryError) or of_system or of_pandas:
            return True
        error = error.__cause__ or error.__context__
    return False


@contextmanager
def _within(bounds: Bounds) -> Iterator[None]:
    """Bound this process while the context is open. SIGXCPU ends it when it takes too much processor time."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    wanted = {resource.RLIMIT_AS: _pages_of_memory()[0] + bounds.memory}
    if bounds.cpu_seconds is not None:
        wanted[resource.RLIMIT_CPU] = math.ceil(used.ru_utime + used.ru_stime) + bounds.cpu_seconds
    before = {kind: resource.getrlimit(kind) for kind in wanted}
    try:
        for kind, (_, hard) in before.items():
            soft = wanted[kind]
            resource.setrlimit(kind, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))
        yield
    finally:
        for kind, pair in before.items():
            resource.setrlimit(kind, pair)


def _pages_of_memory() -> tuple[int, int]:
    """Return the address space of this process and its resident memory, in bytes."""
    size, resident, *_ = Path("/proc/self/statm").read_text(encoding="ascii").split()
    return int(size) * resource.getpagesize(), int(resident) * resource.getpagesize()


def _end_with_harness(lifeline: int) -> None:
    """Let the kernel end this process when the harness's end of a pipe is closed, whatever it computes.

    Nothing else may happen at the pipe: the kernel sends SIGIO for each write too, and may be late with it.
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL)  # the default is to end the process
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    poll = select.poll()
    poll.register(lifeline, 0)
    if poll.poll(0):
        sys.exit()


if __name__ == "__main__":
    main()
