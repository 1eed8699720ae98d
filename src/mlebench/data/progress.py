"""The steps of preparing data, and the protocols of objects that receive them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from mlebench.data.results import PrepareResult

logger = logging.getLogger(__name__)


class Step(StrEnum):
    """A step of preparing a competition; each can be interrupted and resumed."""

    DOWNLOAD = "download"
    UNPACK = "unpack"
    PREPARE = "prepare"
    COPY = "copy"
    VERIFY = "verify"
    SAMPLE = "grade the sample"


class Progress(Protocol):
    """Receives the steps of preparing one competition; calls may come from several threads."""

    def step(self, step: Step, total: int | None = None) -> None:
        """A step begins; `total` is its number of bytes, if known."""

    def advance(self, size: int, files: int = 0) -> None:
        """So many further bytes and files of the step are done."""

    def message(self, text: str) -> None:
        """Something happened that the user should read; `text` is a sentence."""


class BatchProgress(Protocol):
    """Receives the steps of preparing several competitions; calls come from several threads."""

    def step(self, label: str, step: Step, total: int | None) -> None:
        """A step of a competition begins; `total` is its number of bytes, if known."""

    def advance(self, label: str, size: int, files: int) -> None:
        """So many further bytes and files of the step are done."""

    def message(self, label: str, text: str) -> None:
        """Something happened that the user should read; without a label, it is about all competitions."""

    def finished(self, result: PrepareResult) -> None:
        """A competition is prepared, or has failed."""


ResultCallback = Callable[["PrepareResult"], object]
"""A function that is called with the result of each competition."""


class LogProgress:
    """Writes messages to the log and ignores steps: the default when Python code prepares a competition."""

    def step(self, step: Step, total: int | None = None) -> None: ...

    def advance(self, size: int, files: int = 0) -> None: ...

    def message(self, text: str) -> None:
        logger.info("%s", text)


class LogBatchProgress:
    """Writes messages to the log and ignores steps: the default when Python code prepares several competitions."""

    def step(self, label: str, step: Step, total: int | None) -> None: ...

    def advance(self, label: str, size: int, files: int) -> None: ...

    def message(self, label: str, text: str) -> None:
        logger.info("%s", f"{label}: {text}" if label else text)

    def finished(self, result: PrepareResult) -> None:
        logger.info("%s: %s", result.label, result.error or result.outcome)


@dataclass(frozen=True)
class _Callback(LogBatchProgress):
    """Calls a function with the result of each competition."""

    function: ResultCallback

    def finished(self, result: PrepareResult) -> None:
        self.function(result)


def as_batch_progress(progress: BatchProgress | ResultCallback | None) -> BatchProgress:
    """Return an object with the methods of `BatchProgress`."""
    if progress is None:
        return LogBatchProgress()
    if callable(getattr(progress, "finished", None)):
        return progress  # type: ignore[return-value]
    return _Callback(progress)  # type: ignore[arg-type]


class LabelledProgress:
    """Passes what happens to one competition on to a BatchProgress."""

    def __init__(self, progress: BatchProgress, label: str) -> None:
        self._progress, self._label = progress, label

    def step(self, step: Step, total: int | None = None) -> None:
        self._progress.step(self._label, step, total)

    def advance(self, size: int, files: int = 0) -> None:
        self._progress.advance(self._label, size, files)

    def message(self, text: str) -> None:
        self._progress.message(self._label, text)


class StepRecorder:
    """Passes everything on to another Progress and remembers which steps began."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.steps: set[Step] = set()

    def step(self, step: Step, total: int | None = None) -> None:
        self.steps.add(step)
        self._progress.step(step, total)

    def advance(self, size: int, files: int = 0) -> None:
        self._progress.advance(size, files)

    def message(self, text: str) -> None:
        self._progress.message(text)
