"""A job has a fixed number of terminals, and the machine keeps its own."""

from __future__ import annotations

import os

import pytest

from mlebench.sandbox.kernel.devpts import MAX_TERMINALS, limit_terminals


def test_the_terminals_of_the_machine_stay_unlimited():
    assert not limit_terminals(os.getpid())


def test_a_process_that_has_ended_has_no_terminals():
    assert not limit_terminals(2**22 + 1)  # beyond the largest process id


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can limit the terminals of a job")
def test_a_job_gets_no_more_terminals_than_its_limit(bench, isolating):
    script = """
import os
pairs = []
try:
    while len(pairs) < 1000:
        pairs.append(os.openpty())
except OSError:
    pass
print(len(pairs), os.ttyname(pairs[0][1]))
"""
    assert bench.python(isolating, script).log == f"{MAX_TERMINALS} /dev/pts/0\n"
