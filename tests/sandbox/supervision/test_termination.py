"""A job is asked to end once, and has a grace period."""

from __future__ import annotations

from mlebench.sandbox.ending import Cause, Reason
from mlebench.sandbox.supervision.termination import Termination


class Processes:
    """Counts how often they are asked to end."""

    asked = 0

    def terminate(self):
        self.asked += 1


def test_only_the_first_cause_counts_and_sends_a_signal():
    processes = Processes()
    termination = Termination(processes, grace=10)
    termination.begin(100, Cause(Reason.TIME))
    termination.begin(105, Cause(Reason.STOPPED))
    assert (termination.cause.reason, processes.asked) == (Reason.TIME, 1)
    assert not termination.is_over(110)
    assert termination.is_over(110.5)


def test_a_job_that_was_not_asked_has_no_end_of_grace():
    termination = Termination(Processes(), grace=0)
    assert termination.cause is None
    assert not termination.is_over(10**9)
