"""Incidents: what failed in the harness after the agent of a run had ended.

They follow from what the agent left, so they are no reason for another attempt: an agent could undo a bad run. The run
counts with what could be collected, and its record, its log and every report say what failed.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mlebench.errors import EnvironmentUnfitError
from mlebench.ground.files import is_machine_failure
from mlebench.ground.wording import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.sandbox.base import EventSink
    from mlebench.sandbox.ending import Ending

logger = logging.getLogger(__name__)


class Incidents:
    """The incidents of one attempt.

    Parameters
    ----------
    run_id
        The run, for the log of the harness.
    events
        Receives `incident` with the `step` and a `message`.
    """

    def __init__(self, run_id: str, events: EventSink) -> None:
        self._run_id = run_id
        self._events = events
        self._sentences: list[str] = []
        self.ending: Ending | None = None
        """How the agent ended; None before."""

    @property
    def summary(self) -> str | None:
        """All incidents in one line; None without one."""
        return " ".join(self._sentences) or None

    @contextmanager
    def during(self, step: str) -> Iterator[None]:
        """Turn any exception of a step into an incident, except failures of this machine."""
        try:
            yield
        except Exception as error:
            if is_unfit(error):
                raise
            self.add(step, error)

    def add(self, step: str, error: Exception) -> None:
        """Record that a step failed."""
        logger.error("The harness failed while %s in run %s.", step, self._run_id, exc_info=error)
        message = one_line(repr(error))
        self._sentences.append(f"The harness failed while {step}: {message}.")
        self._events("incident", step=step, message=message)


def is_unfit(error: BaseException) -> bool:
    """Return whether this machine failed, so that another attempt or another run cannot do better."""
    return is_machine_failure(error) or isinstance(error, EnvironmentUnfitError)
