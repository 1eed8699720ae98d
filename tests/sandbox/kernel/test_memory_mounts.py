"""Only file systems in memory that are a job's own count."""

from __future__ import annotations

import os
import subprocess

import pytest

from mlebench.sandbox.kernel.memory_mounts import MemoryMounts


def test_the_file_systems_of_the_harness_are_not_those_of_a_job():
    assert MemoryMounts(os.getpid()).measure() == 0


def test_a_process_that_has_ended_has_none():
    assert MemoryMounts(2**22 + 1).measure() == 0  # beyond the largest process id


@pytest.mark.slow("programs")
def test_content_and_the_number_of_files_count(require):
    script = """
head -c 1048576 /dev/zero >/tmp/large
for number in $(seq 1000); do : >/tmp/$number; done
echo $$; read -r line
"""
    command = ["bwrap", "--dev-bind", "/", "/", "--tmpfs", "/tmp", "sh", "-c", script]
    try:
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except FileNotFoundError:
        require("bubblewrap is not installed")
        raise
    with child:
        pid = child.stdout.readline()
        require(None if pid else "bubblewrap cannot create namespaces here")
        mounts = MemoryMounts(int(pid))
        used = mounts.measure()
        mounts.close()
        child.communicate(b"\n")
    assert (1 << 20) + 1000 * 1024 <= used < 4 << 20
    assert mounts.measure() == 0
