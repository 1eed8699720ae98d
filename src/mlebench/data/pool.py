"""Preparing several competitions at once, each in a process of its own: one that fails or dies stops no other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from mlebench.data.jobs import ASK_EVERY, Job, Outcome, failure, work
from mlebench.data.progress import Step
from mlebench.errors import MLEBenchError, PreparationError

if TYPE_CHECKING:
    from collections.abc import Sequence


class Watcher(Protocol):
    """Is told what happens to competitions; calls come from several threads."""

    def step(self, label: str, step: Step, total: int | None) -> None:
        """Take note that a competition's next step begins; `total` is in bytes."""

    def advance(self, label: str, size: int, files: int) -> None:
        """Take note that so many further bytes and files of the step are done."""

    def say(self, label: str, text: str) -> None:
        """Take note of a sentence about a competition."""

    def finished(self, outcome: Outcome) -> None:
        """Take note of what came of a competition."""


class _Bound:
    """A watcher's view of one competition."""

    def __init__(self, watcher: Watcher, label: str) -> None:
        self._watcher, self._label = watcher, label

    def step(self, step: Step, total: int | None = None) -> None:
        self._watcher.step(self._label, step, total)

    def advance(self, size: int, files: int = 0) -> None:
        self._watcher.advance(self._label, size, files)

    def say(self, text: str) -> None:
        self._watcher.say(self._label, text)


def run_one(job: Job, watcher: Watcher) -> Outcome:
    """Do one job in this process; raises what it raises."""
    outcome = work(job, _Bound(watcher, job.label))
    watcher.finished(outcome)
    return outcome


def run_jobs(jobs: Sequence[Job], at_a_time: int, watcher: Watcher) -> list[Outcome]:
    """Do jobs, some at a time, and return what came of each in their order.

    Versions of one competition share their raw data and are made one after the other; the last may remove them.
    KeyboardInterrupt ends those that are under way, which keep what they have, and goes through.
    """
    pool = _Pool(watcher)
    with ThreadPoolExecutor(at_a_time) as threads:
        futures = [threads.submit(pool.run_all, group) for group in _by_competition(jobs)]
        try:
            outcomes = {outcome.label: outcome for future in futures for outcome in future.result()}
            return [outcomes[job.label] for job in jobs]
        except BaseException:
            for future in futures:
                future.cancel()
            pool.stop()
            raise


class _Pool:
    """The processes that are under way."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._lock = threading.Lock()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._ended = threading.Event()
        self._stopped = False

    def stop(self) -> None:
        """End all processes and start no other; returns when none is left."""
        self._stopped = True
        while self._terminate():
            self._ended.wait(ASK_EVERY)
            self._ended.clear()

    def _terminate(self) -> bool:
        with self._lock:
            for process in self._processes:
                process.terminate()
            return bool(self._processes)

    def run_all(self, jobs: Sequence[Job]) -> list[Outcome]:
        """Do jobs one after the other."""
        return [self.run(job) for job in jobs]

    def run(self, job: Job) -> Outcome:
        """Do a job in a process of its own; a process that dies is a job that failed."""
        began = time.monotonic()
        own = str(Path(__file__).resolve().parents[2])  # the package need not be installed
        paths = os.pathsep.join(filter(None, (own, os.environ.get("PYTHONPATH"))))
        with self._lock:
            if self._stopped:
                raise PreparationError("Preparing was interrupted.")
            process = subprocess.Popen(
                [sys.executable, "-m", "mlebench.data.jobs"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the one who started it, who ends it
                env=os.environ | {"PYTHONPATH": paths},
            )
            self._processes.add(process)
        errors: list[bytes] = []
        reader = threading.Thread(target=lambda: errors.extend(process.stderr or ()), daemon=True)
        reader.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(job.model_dump_json().encode() + b"\n")
            process.stdin.flush()
            outcome = self._listen(job, process.stdout)
        except OSError:
            outcome = None
        finally:
            code = process.wait()
            reader.join(1)
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
            with self._lock:
                self._processes.discard(process)
            self._ended.set()
        if outcome is None and self._stopped:
            raise PreparationError("Preparing was interrupted.")
        outcome = outcome or failure(job, began, _death(job, code, errors))
        self._watcher.finished(outcome)
        return outcome

    def _listen(self, job: Job, lines: IO[bytes]) -> Outcome | None:
        bound = _Bound(self._watcher, job.label)
        outcome = None
        for line in lines:
            if not line.endswith(b"\n"):
                break  # the process was killed
            facts = json.loads(line)
            if "step" in facts:
                bound.step(Step(facts["step"]), facts["total"])
            elif "size" in facts:
                bound.advance(facts["size"], facts["files"])
            elif "say" in facts:
                bound.say(facts["say"])
            else:
                outcome = Outcome.model_validate(facts["outcome"])
        return outcome


def _by_competition(jobs: Sequence[Job]) -> list[list[Job]]:
    groups: dict[str, list[Job]] = {}
    for job in jobs:
        groups.setdefault(job.label.partition("@")[0], []).append(job)
    for *earlier, last in groups.values():
        groups[last.label.partition("@")[0]] = [
            *(job.model_copy(update={"keep_raw": True, "keep_zip": True}) for job in earlier),
            last,
        ]
    return list(groups.values())


def _death(job: Job, code: int, errors: list[bytes]) -> MLEBenchError:
    last = errors[-1].decode(errors="replace").strip() if errors else ""
    how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return PreparationError(
        f"The process that prepared {job.label} {how}{f' ({last})' if last else ''}, perhaps for want of memory; "
        "give the same command again, and it goes on from there."
    )
