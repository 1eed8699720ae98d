"""The process that prepares one competition of several.

It reads its `Job` as one line of JSON from standard input, and writes `Event` lines to what was its standard output;
output of the preparer is discarded. It ends when its standard input is closed, and so when its parent ends.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from typing import IO

from pydantic import BaseModel

from mlebench.data.jobs import Job, run_job
from mlebench.data.progress import Step
from mlebench.data.results import PrepareResult

REPORT_SECONDS = 0.2
"""Between two events about bytes."""
STOP_SECONDS = 5.0
"""Between two requests to stop: an interrupt is lost if it arrives while a library is being imported."""


class Event(BaseModel):
    """One line from a worker to its parent."""

    step: Step | None = None
    """The step that begins, with `total` bytes."""
    total: int | None = None
    size: int = 0
    files: int = 0
    """Further bytes and files of the step."""
    message: str | None = None
    result: PrepareResult | None = None
    """The last event."""


class EventWriter(logging.Handler):
    """A Progress and a log handler that write events; bytes are added up between two events."""

    def __init__(self, out: IO[str]) -> None:
        super().__init__(logging.INFO)
        self._out, self._size, self._files, self._last_report = out, 0, 0, 0.0
        self._mutex = threading.Lock()

    def step(self, step: Step, total: int | None = None) -> None:
        self._report()
        self._write(Event(step=step, total=total))

    def advance(self, size: int, files: int = 0) -> None:
        with self._mutex:
            self._size, self._files = self._size + size, self._files + files
            is_due = time.monotonic() - self._last_report >= REPORT_SECONDS
        if is_due:
            self._report()

    def message(self, text: str) -> None:
        self._write(Event(message=text))

    def emit(self, record: logging.LogRecord) -> None:
        self.message(record.getMessage())

    def result(self, result: PrepareResult) -> None:
        self._report()
        self._write(Event(result=result))

    def _report(self) -> None:
        with self._mutex:
            size, files = self._size, self._files
            self._size = self._files = 0
            self._last_report = time.monotonic()
        if size or files:
            self._write(Event(size=size, files=files))

    def _write(self, event: Event) -> None:
        with self._mutex:
            print(event.model_dump_json(exclude_defaults=True), file=self._out, flush=True)


def main() -> None:
    """Run the job on standard input."""
    pipe = os.dup(1)
    with open(os.devnull, "w") as devnull:  # noqa: PTH123
        os.dup2(devnull.fileno(), 1)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that scratch folders are removed
    job = Job.model_validate_json(sys.stdin.readline())
    threading.Thread(target=_stop_with_input, daemon=True).start()
    with os.fdopen(pipe, "w") as out:
        writer = EventWriter(out)
        logging.basicConfig(level=logging.INFO, handlers=[writer])
        started = time.monotonic()
        try:
            result = run_job(job, writer)
        except Exception as error:  # noqa: BLE001 - a failed competition must not stop the others
            result = PrepareResult.of_error(job.label, time.monotonic() - started, error)
        except KeyboardInterrupt:
            return
        writer.result(result)


def _stop_with_input() -> None:
    while os.read(0, 4096):  # not sys.stdin, whose lock would block the end of the process
        pass
    while True:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(STOP_SECONDS)


if __name__ == "__main__":
    main()
