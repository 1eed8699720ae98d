"""An agent that takes too much of anything is limited or ended, and the record shows the limit."""

import os

import pytest

from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import MiB

LIMITS = {"seconds": 60, "processes": 48, "memory": 256 * MiB, "disk": 48 * MiB, "log": MiB}
ARGUMENTS = tuple(str(LIMITS[name]) for name in ("processes", "memory", "disk", "log"))


@pytest.fixture
def exhaust(attack):
    """A function that runs the attacker in modes, and checks that it gained nothing."""

    def run(sandbox, *modes, **changes):
        attacks = attack(sandbox, "exhaustion", *modes, arguments=ARGUMENTS, **LIMITS | changes)
        for mode, done in attacks.items():
            assert done.gained == {}, mode
        return attacks.items()

    return run


def test_processes(exhaust, enforced):
    for mode, done in exhaust(enforced, "fork_bomb", "threads"):
        assert "processes" in done.limits_met(), (mode, done.events)


def test_memory(exhaust, enforced):
    modes = ("memory", "memory_of_children", "nameless_memory", "mapped_memory", "memory_of_a_thread")
    for mode, done in exhaust(enforced, *modes, "dropped_memory", "page_tables"):
        assert done.run.ending.reason in (Reason.MEMORY, Reason.CRASHED), (mode, done.run.ending, done.log)
        assert "memory" in done.limits_met(), (mode, done.events)
        (started,) = [event for event in done.events if event["kind"] == "started"]
        if started["enforcement"] != "polling":  # which takes as long as the machine is busy
            assert done.run.ending.peak_memory < 3 * LIMITS["memory"], mode


def test_files_in_memory(exhaust, enforced):
    for mode, done in exhaust(enforced, "temporary", "shared_memory", "detached_memory", "empty_files_in_memory"):
        assert done.attempts or "memory" in done.limits_met(), (mode, done.events)


def test_disk(exhaust, isolating):
    modes = ("disk", "small_files", "deleted", "deleted_but_mapped", "hidden", "deep", "empty_files")
    modes += ("deleted_in_a_thread",)
    if os.geteuid() == 0:  # only a file system of its own counts these
        modes += ("deleted_in_messages", "deleted_in_calls")
    for mode, done in exhaust(isolating, *modes):
        assert done.run.ending.reason is Reason.DISK, (mode, done.run.ending, done.log[-500:])
        assert done.limits_met() == {"disk"}, mode
        assert done.run.verdict.outcome is Outcome.MISSING, mode


def test_data_in_sockets(exhaust, enforced):
    if os.geteuid() != 0:
        pytest.skip("only root can look into the network namespace of a job")
    ((_, done),) = exhaust(enforced, "data_in_sockets", seconds=40, memory=128 * MiB)
    assert done.run.ending.reason is not Reason.FINISHED


def test_log(exhaust, isolating):
    for mode, done in exhaust(isolating, "log", "log_of_children"):
        assert done.run.ending.reason is Reason.FINISHED, mode
        assert done.limits_met() == {"log"}, mode
        assert (done.folder / "run.log").stat().st_size < LIMITS["log"] + 1000


@pytest.mark.parametrize("mode", ["many_open", "sockets"])
def test_open_files(exhaust, enforced, mode):
    exhaust(enforced, mode, seconds=8)
