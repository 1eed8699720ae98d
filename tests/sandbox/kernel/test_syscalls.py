"""The numbers of system calls."""

from __future__ import annotations

import pytest

from mlebench.sandbox.kernel.syscalls import AUDIT_ARCH, DENIED, JUDGED


@pytest.mark.parametrize("machine", sorted(AUDIT_ARCH))
def test_each_number_means_one_call_that_is_either_judged_or_denied(machine):
    numbers = [*JUDGED[machine].values(), *DENIED[machine].values()]
    assert len(numbers) == len(set(numbers))


def test_calls_newer_than_the_split_have_the_same_number_everywhere():
    one, other = (DENIED[machine] | JUDGED[machine] for machine in ("x86_64", "aarch64"))
    newer = {name: number for name, number in one.items() if number >= 424}
    assert newer == {name: number for name, number in other.items() if number >= 424}


def test_what_one_architecture_denies_the_other_denies_if_it_has_it():
    only_x86 = set(DENIED["x86_64"]) - set(DENIED["aarch64"])
    assert only_x86 == {
        *("_sysctl", "create_module", "get_kernel_syms", "ioperm", "iopl", "query_module", "sysfs", "uselib", "ustat"),
    }
    assert set(DENIED["aarch64"]) <= set(DENIED["x86_64"])
