"""From everything that is known after the end of a job to its ending."""

from __future__ import annotations

import pytest

from mlebench.sandbox.ending import Cause, Reason
from mlebench.sandbox.supervision.conclusion import conclude

KNOWN = {
    "was_ready": True,
    "kills": 0,
    "log_tail": "",
    "is_clean": True,
    "seconds": 1.0,
    "peak_memory": None,
}
TIME = Cause(Reason.TIME)


@pytest.mark.parametrize(
    ("cause", "exit_code", "facts", "expected"),
    [
        (None, 0, {}, (Reason.FINISHED, 0, "")),
        (None, 3, {}, (Reason.CRASHED, 3, "")),
        (None, 137, {}, (Reason.CRASHED, 137, "")),
        (None, 137, {"kills": 1}, (Reason.MEMORY, 137, "1 of its processes were killed because memory ran out.")),
        (None, 0, {"kills": 1}, (Reason.FINISHED, 0, "1 of its processes were killed because memory ran out.")),
        (TIME, 0, {}, (Reason.TIME, 0, "")),
        (TIME, 137, {}, (Reason.TIME, None, "")),
        (TIME, 143, {"is_clean": False}, (Reason.TIME, 143, "Some of its processes could not be killed.")),
        (
            None,
            1,
            {"was_ready": False, "log_tail": "one\ntwo"},
            (Reason.HARNESS, 1, "The sandbox did not start (exit code 1): two"),
        ),
        (
            None,
            1,
            {"was_ready": False},
            (Reason.HARNESS, 1, "The sandbox did not start (exit code 1): no message"),
        ),
    ],
)
def test_the_cause_the_exit_code_and_the_kills_decide(cause, exit_code, facts, expected):
    ending = conclude(cause, exit_code, **KNOWN | facts)
    assert (ending.reason, ending.exit_code, ending.detail) == expected
