"""From measured values to exceeded limits, and to the cause that ends a job."""

from __future__ import annotations

import pytest

from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import Limits
from mlebench.sandbox.supervision.limit_checks import (
    ExceededLimit,
    Usage,
    find_exceeded,
    is_time_up,
    is_warning_due,
    judge_disk,
    judge_usage,
)

LIMITS = Limits(seconds=100, memory=1000, processes=10, disk=500, warning=20)
NO_LIMITS = Limits(memory=None, processes=None, disk=None)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (Usage(memory=1000, processes=9), []),
        (Usage(memory=1001), [ExceededLimit("memory", 1001, 1000)]),
        (Usage(memory=10, kills=1), [ExceededLimit("memory", 1000, 1000)]),
        (Usage(processes=10), [ExceededLimit("processes", 10, 10)]),
        (Usage(processes=3, refused=2), [ExceededLimit("processes", 10, 10)]),
        (Usage(memory=2000, processes=20), [ExceededLimit("memory", 2000, 1000), ExceededLimit("processes", 20, 10)]),
    ],
)
def test_limits_are_exceeded_by_values_or_when_the_kernel_enforced_them(usage, expected):
    assert find_exceeded(usage, LIMITS) == expected
    assert find_exceeded(usage, NO_LIMITS) == []


@pytest.mark.parametrize(
    ("usage", "reason"),
    [
        (Usage(memory=2000, processes=18), None),
        (Usage(memory=2001), Reason.MEMORY),
        (Usage(processes=19), Reason.PROCESSES),
        (Usage(memory=2001, processes=19), Reason.MEMORY),
    ],
)
def test_without_the_kernel_a_job_ends_when_it_is_far_beyond_a_limit(usage, reason):
    cause = judge_usage(usage, LIMITS)
    assert (cause and cause.reason) == reason
    assert judge_usage(usage, NO_LIMITS) is None


def test_a_job_ends_when_it_has_written_more_than_its_disk_limit():
    assert judge_disk(500, LIMITS) is None
    assert judge_disk(501, LIMITS).reason is Reason.DISK
    assert judge_disk(10**12, NO_LIMITS) is None


@pytest.mark.parametrize(
    ("elapsed", "is_due", "is_up"), [(79, False, False), (80, True, False), (100, False, False), (101, False, True)]
)
def test_the_warning_comes_before_the_end_of_the_time(elapsed, is_due, is_up):
    assert is_warning_due(elapsed, LIMITS) is is_due
    assert is_time_up(elapsed, LIMITS) is is_up
