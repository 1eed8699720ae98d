"""The monitor reports each limit once."""

from __future__ import annotations

import pytest

from mlebench.sandbox.limits import Limits
from mlebench.sandbox.supervision.job_processes import NamespaceProcesses
from mlebench.sandbox.supervision.limit_checks import ExceededLimit
from mlebench.sandbox.supervision.monitor import LimitMonitor


@pytest.fixture
def monitor(bench, events):
    limits = Limits(memory=1000, processes=10, disk=500)
    return LimitMonitor(bench.job(("true",)), limits, NamespaceProcesses(), None, kernel_enforces=True, events=events)


def test_a_limit_that_is_met_again_is_not_reported_again(monitor, events):
    monitor.report(ExceededLimit("disk", 501, 500))
    monitor.report(ExceededLimit("disk", 900, 500))
    monitor.report(ExceededLimit("memory", 1001, 1000))
    assert [(event["limit"], event["value"]) for event in events.of("limit")] == [("disk", 501), ("memory", 1001)]


@pytest.mark.parametrize(
    ("kills", "refused", "limits"),
    [(0, 0, []), (1, 0, ["memory"]), (0, 2, ["processes"]), (1, 2, ["memory", "processes"])],
)
def test_the_counts_of_a_container_tell_which_limits_the_kernel_enforced(monitor, events, kills, refused, limits):
    monitor.note_counts(kills=kills, refused=refused)
    monitor.note_counts(kills=0, refused=0)  # a later report cannot take them back
    monitor.report_counts()
    assert [event["limit"] for event in events.of("limit")] == limits
