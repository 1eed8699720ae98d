"""Preparing one competition of many: what is asked for, what came of it, and the process that does it.

The process reads its job from standard input and tells of it in lines of JSON on what was its standard output; what a
preparer prints goes nowhere. It ends when its standard input ends, and so with the one who started it.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any, Literal

from pydantic import BaseModel, ConfigDict

from mlebench.data.manifest import Manifest
from mlebench.data.preparing import prepare
from mlebench.data.progress import Progress, Step
from mlebench.errors import MLEBenchError, PreparationError
from mlebench.ground.loading import import_function

TELL_EVERY = 0.2
"""Seconds between two lines about bytes."""
ASK_EVERY = 5.0
"""Seconds between two requests to end: an interrupt is lost where it meets a library that is being imported."""


class Job(BaseModel):
    """A competition and how it is to be prepared."""

    model_config = ConfigDict(frozen=True)

    label: str
    data_dir: Path
    folders: tuple[Path, ...] = ()
    raw: Path | None = None
    rehearsal: bool = False
    keep_raw: bool = True
    keep_zip: bool = True
    link: bool = True
    skip_verification: bool = False
    brief: bool = False
    force: bool = False
    check: str | None = None
    """A last check, `module:function`, that is called with the competition and its progress."""


class Outcome(BaseModel):
    """What came of a job."""

    model_config = ConfigDict(frozen=True)

    label: str
    outcome: Literal["made", "verified", "already there", "failed"]
    """`verified`: another program's data, found to be those on record and kept."""
    seconds: float
    manifest: Manifest | None = None
    error: str | None = None
    exit_code: int = 0


class _Witness:
    """Passes everything on, and remembers which steps there were."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.steps: set[Step] = set()

    def step(self, step: Step, total: int | None = None) -> None:
        self.steps.add(step)
        self._progress.step(step, total)

    def advance(self, size: int, files: int = 0) -> None:
        self._progress.advance(size, files)

    def say(self, text: str) -> None:
        self._progress.say(text)


def work(job: Job, progress: Progress) -> Outcome:
    """Do a job; raises what `prepare` raises."""
    from mlebench.tasks.registry import Registry

    began, witness = time.monotonic(), _Witness(progress)
    competition = Registry(job.data_dir, job.folders).get_competition(job.label)
    options = job.model_dump(exclude={"label", "data_dir", "folders", "check"})
    manifest = prepare(competition, **options, progress=witness)
    if job.check is not None:
        manifest = import_function(job.check)(competition, manifest, witness)
    made = Step.PREPARE in witness.steps
    kind: Literal["made", "verified", "already there"] = (
        "made" if made else "verified" if Step.VERIFY in witness.steps else "already there"
    )
    return Outcome(label=job.label, outcome=kind, seconds=time.monotonic() - began, manifest=manifest)


def failure(job: Job, began: float, error: BaseException) -> Outcome:
    """Return the outcome of a job that raised."""
    known = isinstance(error, MLEBenchError | OSError)
    text = str(error) if known else f"{type(error).__name__}: {error}"
    code = error.exit_code if isinstance(error, MLEBenchError) else PreparationError.exit_code
    return Outcome(label=job.label, outcome="failed", seconds=time.monotonic() - began, error=text, exit_code=code)


class _Teller(logging.Handler):
    """Tells the one who started this process, in lines of JSON; bytes not too often."""

    def __init__(self, out: IO[str]) -> None:
        super().__init__(logging.INFO)
        self._out, self._size, self._files, self._told = out, 0, 0, 0.0
        self._mutex = threading.Lock()

    def step(self, step: Step, total: int | None = None) -> None:
        self._flush()
        self._tell(step=step, total=total)

    def advance(self, size: int, files: int = 0) -> None:
        with self._mutex:
            self._size, self._files = self._size + size, self._files + files
            due = time.monotonic() - self._told >= TELL_EVERY
        if due:
            self._flush()

    def say(self, text: str) -> None:
        self._tell(say=text)

    def emit(self, record: logging.LogRecord) -> None:
        self.say(record.getMessage())

    def outcome(self, outcome: Outcome) -> None:
        self._flush()
        self._tell(outcome=outcome.model_dump(mode="json"))

    def _flush(self) -> None:
        with self._mutex:
            size, files = self._size, self._files
            self._size = self._files = 0
            self._told = time.monotonic()
        if size or files:
            self._tell(size=size, files=files)

    def _tell(self, **facts: Any) -> None:
        with self._mutex:
            print(json.dumps(facts), file=self._out, flush=True)


def serve() -> None:
    """Do the job that stands on standard input and tell of it."""
    pipe = os.dup(1)
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), 1)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what is half made is then removed
    job = Job.model_validate_json(sys.stdin.readline())
    threading.Thread(target=_end_with_input, daemon=True).start()
    with os.fdopen(pipe, "w") as out:
        teller = _Teller(out)
        logging.basicConfig(level=logging.INFO, handlers=[teller])
        began = time.monotonic()
        try:
            outcome = work(job, teller)
        except Exception as error:  # noqa: BLE001 - one competition's fault is not the others'
            outcome = failure(job, began, error)
        except KeyboardInterrupt:
            return
        teller.outcome(outcome)


def _end_with_input() -> None:
    while os.read(0, 4096):  # not sys.stdin, whose lock would be held when the process ends
        pass
    while True:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(ASK_EVERY)


if __name__ == "__main__":
    serve()
