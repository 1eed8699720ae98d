"""The memory meter counts processes, and kills the largest where the kernel does not."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

from mlebench.sandbox.kernel.process_table import read_process
from mlebench.sandbox.supervision.memory_meter import MemoryMeter


def test_memory_is_that_of_all_processes_and_of_their_file_systems():
    me = read_process(os.getpid())
    meter = MemoryMeter(None, None, kills=True)
    used = meter.measure([me, me], 1000)
    assert used >= 2 * me.resident + 1000
    assert meter.measure([], 7) == 7
    assert meter.peak == used


def test_counts_from_elsewhere_only_rise():
    meter = MemoryMeter(None, None, kills=False)
    meter.note_kills(2)
    meter.note_kills(1)
    assert meter.count_kills() == 2


@pytest.mark.slow("programs")
@pytest.mark.parametrize(("kills", "expected"), [(True, 1), (False, 0)])
def test_only_the_largest_process_is_killed_and_only_once(kills, expected):
    with subprocess.Popen(["sleep", "300"]) as small, subprocess.Popen(["sleep", "300"]) as large:
        try:
            one, other = read_process(small.pid), read_process(large.pid)
            living = [one._replace(resident=10), other._replace(resident=20)]
            meter = MemoryMeter(1, None, kills=kills)
            meter.measure(living, 100)
            meter.measure(living, 100)  # the victim is still listed
            assert meter.count_kills() == expected
            assert small.poll() is None
            if kills:
                assert large.wait(60) == -signal.SIGKILL
        finally:
            small.kill()
            large.kill()
