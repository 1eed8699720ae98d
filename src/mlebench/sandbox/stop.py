"""Requests from outside to end a running job."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from mlebench.sandbox.ending import Reason


@dataclass(frozen=True, slots=True)
class StopRequest:
    """One request to end a job."""

    reason: Reason
    """`STOPPED`: at once. `BUDGET`: as at the time limit, with SIGTERM and the grace period to save a submission."""
    message: str
    """For people; empty if there is nothing to add."""


class StopSignal:
    """Ends a job from any thread. A signal with a parent also receives the requests made to its parent.

    The first request counts, except that `STOPPED` overrides `BUDGET`.

    Parameters
    ----------
    parent : StopSignal, optional
        The signal of a group of jobs that this job belongs to.
    """

    def __init__(self, parent: StopSignal | None = None) -> None:
        self._parent = parent
        self._changed: threading.Condition = parent._changed if parent else threading.Condition()
        self._own: StopRequest | None = None

    def request(self, reason: Reason = Reason.STOPPED, message: str = "") -> None:
        """Ask to end the job, or all jobs whose signals have this one as their parent.

        Parameters
        ----------
        reason : Reason
            `STOPPED` or `BUDGET`.
        message : str
            A sentence for people; it becomes the `detail` of the ending.

        Raises
        ------
        ValueError
            If the reason is another one.
        """
        if reason not in (Reason.STOPPED, Reason.BUDGET):
            raise ValueError(f"A stop request cannot have the reason {reason.value!r}. Use 'stopped' or 'budget'.")
        with self._changed:
            if self._own is None or (reason is Reason.STOPPED and self._own.reason is Reason.BUDGET):
                self._own = StopRequest(reason, message)
                self._changed.notify_all()

    @property
    def requested(self) -> StopRequest | None:
        """The request in force, or None."""
        inherited = self._parent.requested if self._parent else None
        if inherited and (self._own is None or inherited.reason is Reason.STOPPED):
            return inherited
        return self._own

    @property
    def is_immediate(self) -> bool:
        """Whether the job must end at once."""
        request = self.requested
        return request is not None and request.reason is Reason.STOPPED

    def wait(self, seconds: float) -> bool:
        """Wait at most this long for a request; return whether there is one."""
        with self._changed:
            return self._changed.wait_for(lambda: self.requested is not None, seconds)
