"""Reporting the progress of a group: what is called when a run starts, does something, and finishes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from mlebench.runs.record import RunRecord


class Progress(Protocol):
    """Receives what happens to runs; calls come from several threads."""

    def started(self, run: RunRecord) -> None:
        """Take a run that is about to be attempted."""
        ...

    def event(self, run: RunRecord, kind: str, /, **facts: object) -> None:
        """Take an event of a running run, as it is written to its log."""
        ...

    def finished(self, run: RunRecord) -> None:
        """Take a run that is graded, or that the harness gave up."""
        ...


RunCallback = Callable[["RunRecord"], object]
"""A function that is called with the record of each run that starts or finishes."""


class Silent:
    """Reports nothing."""

    def started(self, run: RunRecord) -> None: ...

    def event(self, run: RunRecord, kind: str, /, **facts: object) -> None: ...

    def finished(self, run: RunRecord) -> None: ...


@dataclass(frozen=True)
class _Callback(Silent):
    """Calls a function with the record of each run that starts or finishes."""

    function: RunCallback

    def started(self, run: RunRecord) -> None:
        self.function(run)

    def finished(self, run: RunRecord) -> None:
        self.function(run)


def as_progress(progress: Progress | RunCallback | None) -> Progress:
    """Return an object with the methods of `Progress`."""
    if progress is None:
        return Silent()
    if callable(getattr(progress, "finished", None)):
        return progress  # type: ignore[return-value]
    return _Callback(progress)  # type: ignore[arg-type]
