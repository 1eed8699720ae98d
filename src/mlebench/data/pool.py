"""Prepare several competitions concurrently, each in its own process: one that fails or dies stops no other."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from mlebench.data.progress import LabelledProgress
from mlebench.data.results import PrepareResult
from mlebench.data.worker import STOP_SECONDS, Event
from mlebench.errors import PreparationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.data.jobs import Job
    from mlebench.data.progress import BatchProgress


def run_jobs(jobs: Sequence[Job], workers: int, progress: BatchProgress) -> list[PrepareResult]:
    """Run jobs in worker processes.

    The versions of a competition share their raw data. They are prepared one after the other, and only the last one
    removes raw data. An interrupt stops all workers and is raised again; what they have downloaded and unpacked stays.

    Parameters
    ----------
    jobs
        The competitions to prepare.
    workers
        How many run at the same time.
    progress
        Receives the steps and the results, from several threads.

    Returns
    -------
    list of PrepareResult
        In the order of the jobs; failures are among them.
    """
    pool = _Pool(progress)
    with ThreadPoolExecutor(workers) as threads:
        futures = [threads.submit(pool.run_all, group) for group in _group_versions(jobs)]
        try:
            results = {result.label: result for future in futures for result in future.result()}
            return [results[job.label] for job in jobs]
        except BaseException:
            for future in futures:
                future.cancel()
            pool.stop()
            raise


class _Pool:
    """The running worker processes."""

    def __init__(self, progress: BatchProgress) -> None:
        self._progress = progress
        self._lock = threading.Lock()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._process_ended = threading.Event()
        self._is_stopped = False

    def stop(self) -> None:
        """Stop all processes and start no other; return when none is left."""
        self._is_stopped = True
        while self._terminate():
            self._process_ended.wait(STOP_SECONDS)
            self._process_ended.clear()

    def run_all(self, jobs: Sequence[Job]) -> list[PrepareResult]:
        """Run jobs one after the other."""
        return [self.run(job) for job in jobs]

    def run(self, job: Job) -> PrepareResult:
        """Run a job in its own process; if the process dies, the job has failed."""
        started = time.monotonic()
        process = self._start()
        errors: list[bytes] = []
        reader = threading.Thread(target=lambda: errors.extend(process.stderr or ()), daemon=True)
        reader.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(job.model_dump_json().encode() + b"\n")
            process.stdin.flush()
            result = self._read_events(job, process.stdout)
        except OSError:
            result = None
        finally:
            code = process.wait()
            reader.join(1)
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
            with self._lock:
                self._processes.discard(process)
            self._process_ended.set()
        if result is None and self._is_stopped:
            raise PreparationError("Preparing was interrupted.")
        if result is None:
            result = PrepareResult.of_error(job.label, time.monotonic() - started, _death(job, code, errors))
        self._progress.finished(result)
        return result

    def _start(self) -> subprocess.Popen[bytes]:
        package_parent = str(Path(__file__).resolve().parents[2])  # the package need not be installed
        paths = os.pathsep.join(filter(None, (package_parent, os.environ.get("PYTHONPATH"))))
        with self._lock:
            if self._is_stopped:
                raise PreparationError("Preparing was interrupted.")
            process = subprocess.Popen(
                [sys.executable, "-m", "mlebench.data.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C reaches the parent, which stops its workers
                env=os.environ | {"PYTHONPATH": paths},
            )
            self._processes.add(process)
        return process

    def _terminate(self) -> bool:
        with self._lock:
            for process in self._processes:
                process.terminate()
            return bool(self._processes)

    def _read_events(self, job: Job, lines: IO[bytes]) -> PrepareResult | None:
        """Pass events on until the result arrives; None if the process ends without one."""
        progress = LabelledProgress(self._progress, job.label)
        result = None
        for line in lines:
            if not line.endswith(b"\n"):
                break  # the process was killed
            event = Event.model_validate_json(line)
            if event.step is not None:
                progress.step(event.step, event.total)
            if event.size or event.files:
                progress.advance(event.size, event.files)
            if event.message is not None:
                progress.message(event.message)
            result = event.result or result
        return result


def _group_versions(jobs: Sequence[Job]) -> list[list[Job]]:
    """Return the jobs of each competition; all but the last of each keep the raw data."""
    groups: dict[str, list[Job]] = {}
    for job in jobs:
        groups.setdefault(job.ref.competition_id, []).append(job)
    return [[*map(_keep_raw_data, earlier), last] for *earlier, last in groups.values()]


def _keep_raw_data(job: Job) -> Job:
    return job.model_copy(update={"options": replace(job.options, keep_raw=True, keep_zip=True)})


def _death(job: Job, code: int, errors: list[bytes]) -> PreparationError:
    last = errors[-1].decode(errors="replace").strip() if errors else ""
    how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return PreparationError(
        f"The process that prepared {job.label} {how}{f' ({last})' if last else ''}, perhaps for lack of memory; "
        "run the same command again to resume."
    )
