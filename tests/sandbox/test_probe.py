"""Probing a sandbox tells why it does not work."""

from __future__ import annotations

import pytest

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox.ending import Ending, Reason
from mlebench.sandbox.probe import probe


class Broken:
    """A sandbox that does not do what it should."""

    name = "broken"

    def __init__(self, ending, log=""):
        self.ending, self.log = ending, log

    def run(self, job, limits, *, stop, events):
        assert job.data.is_dir()
        job.log.write_text(self.log)
        if isinstance(self.ending, Exception):
            raise self.ending
        return self.ending


@pytest.mark.parametrize(
    ("ending", "log", "reason"),
    [
        (SandboxUnavailableError("It is locked."), "", "It is locked."),
        (Ending(Reason.CRASHED, 1, 0.1), "first\nlast\n", "A job in broken ended with crashed: first\nlast"),
        (Ending(Reason.CRASHED, 1, 0.1, "Why."), "log", "A job in broken ended with crashed: Why."),
        (Ending(Reason.FINISHED, 0, 0.1), "", "A job in broken ended with finished: no message"),
    ],
)
def test_a_sandbox_in_which_no_file_can_be_written_does_not_work(ending, log, reason):
    assert probe(Broken(ending, log)) == reason
