"""Requests to end a job from outside."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from mlebench.sandbox.ending import Reason
from mlebench.sandbox.stop import StopSignal

if TYPE_CHECKING:
    from mlebench.sandbox.stop import StopRequest

    from .conftest import Bench


WAIT = "touch up; while :; do sleep 0.05; done"
ON_TERM = f"trap 'echo saved > \"$SUBMISSION_DIR/submission.csv\"; exit 0' TERM; {WAIT}"


class RequestedWhenUp(StopSignal):
    """Receives a request as soon as the job that runs next has created a file `up`."""

    def __init__(self, bench: Bench, reason: Reason, message: str = "") -> None:
        super().__init__()
        self._up = bench.folder / f"run-{bench.number + 1}/home/agent/up"
        self._reason, self._message = reason, message

    @property
    def requested(self) -> StopRequest | None:
        if self._up.exists():
            self.request(self._reason, self._message)
        return super().requested


def test_a_spent_budget_ends_a_job_as_the_time_limit_does(bench, sandbox):
    stop = RequestedWhenUp(bench, Reason.BUDGET, "The 3 USD for models are spent.")
    result = bench(sandbox, "sh", "-c", ON_TERM, stop=stop, grace=20)
    assert (result.ending.reason, result.ending.exit_code) == (Reason.BUDGET, 0)
    assert result.ending.detail == "The 3 USD for models are spent."
    assert (result.home / "submission/submission.csv").read_text() == "saved\n"


def test_a_job_that_ignores_the_request_is_killed_after_the_grace_period(bench, sandbox):
    stop = RequestedWhenUp(bench, Reason.BUDGET)
    result = bench(sandbox, "sh", "-c", f"trap '' TERM; {WAIT}", stop=stop, grace=0.2)
    assert (result.ending.reason, result.ending.exit_code) == (Reason.BUDGET, None)


def test_a_request_before_the_start_of_the_job_waits_for_the_start(bench, sandbox):
    stop = StopSignal()
    stop.request(Reason.BUDGET, "The 3 USD for models are spent.")
    result = bench(sandbox, "sh", "-c", WAIT, stop=stop, grace=20)
    assert (result.ending.reason, result.ending.exit_code) == (Reason.BUDGET, 143)


def test_stopped_ends_a_job_at_once(bench, sandbox):
    stop = StopSignal()
    timer = threading.Timer(0.4, stop.request, (Reason.STOPPED,))
    timer.start()
    result = bench(sandbox, "sh", "-c", "trap '' TERM; sleep 100", stop=stop)
    timer.join()
    assert result.ending.reason is Reason.STOPPED
    assert result.ending.exit_code is None
    assert result.ending.seconds < 90


def test_requests_reach_children_and_stopped_overrides_budget():
    parent = StopSignal()
    child = StopSignal(parent)
    assert child.requested is None and not child.wait(0)
    child.request(Reason.BUDGET, "spent")
    child.request(Reason.BUDGET, "again")
    assert (child.requested.message, parent.requested, child.is_immediate) == ("spent", None, False)
    threading.Timer(0.05, parent.request, (Reason.STOPPED,)).start()
    assert StopSignal(parent).wait(60)
    assert parent.is_immediate and child.is_immediate
    with pytest.raises(ValueError, match="finished"):
        parent.request(Reason.FINISHED)
