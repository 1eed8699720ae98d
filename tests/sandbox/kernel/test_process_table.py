"""The processes of this machine."""

from __future__ import annotations

import signal
import subprocess

import pytest

from mlebench.sandbox.kernel.process_table import read_process, send_signal


@pytest.mark.slow("programs")
def test_a_signal_does_not_reach_a_newer_process_with_the_same_id():
    child = subprocess.Popen(["sleep", "30"])
    try:
        process = read_process(child.pid)
        assert not send_signal(process._replace(started=process.started - 1), signal.SIGKILL)
        assert child.poll() is None
        assert send_signal(process, signal.SIGKILL)
        assert child.wait(5) == -signal.SIGKILL
    finally:
        child.kill()
        child.wait()
