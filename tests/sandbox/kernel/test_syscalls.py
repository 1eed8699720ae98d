"""The numbers of system calls."""

from __future__ import annotations

import pytest

from mlebench.sandbox.kernel.syscalls import (
    AUDIT_ARCH,
    DENIED,
    FIRST_UNKNOWN,
    JUDGED,
    MISSING,
    SCHED_SETAFFINITY,
    UNCOUNTED,
)


def numbers_of(machine):
    missing = UNCOUNTED[machine] | MISSING[machine]
    return DENIED[machine] | JUDGED[machine] | missing | {"sched_setaffinity": SCHED_SETAFFINITY[machine]}


@pytest.mark.parametrize("machine", sorted(AUDIT_ARCH))
def test_each_number_means_one_call(machine):
    numbers = numbers_of(machine)
    assert len(numbers) == len(set(numbers.values()))
    assert max(numbers.values()) < FIRST_UNKNOWN


@pytest.mark.parametrize("machine", sorted(AUDIT_ARCH))
def test_no_call_is_both_denied_and_missing_or_judged(machine):
    assert not DENIED[machine].keys() & (JUDGED[machine].keys() | MISSING[machine].keys() | UNCOUNTED[machine].keys())


def test_calls_newer_than_the_split_have_the_same_number_everywhere():
    one, other = numbers_of("x86_64"), numbers_of("aarch64")
    newer = {name: number for name, number in one.items() if number >= 424}
    assert newer == {name: number for name, number in other.items() if number >= 424}


def test_what_one_architecture_denies_the_other_denies_if_it_has_it():
    only_x86 = set(DENIED["x86_64"]) - set(DENIED["aarch64"])
    assert only_x86 == {
        *("_sysctl", "create_module", "get_kernel_syms", "ioperm", "iopl", "query_module", "sysfs", "uselib", "ustat"),
    }
    assert set(DENIED["aarch64"]) <= set(DENIED["x86_64"])
