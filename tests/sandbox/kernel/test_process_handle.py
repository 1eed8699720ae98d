"""A handle stays with its process."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

from mlebench.sandbox.kernel.process_handle import ProcessHandle


@pytest.mark.slow("programs")
def test_a_handle_lists_and_kills_until_the_process_has_ended():
    with subprocess.Popen(["sh", "-c", "sleep 300 & echo; wait"], stdout=subprocess.PIPE) as process:
        handle = ProcessHandle(process.pid)
        process.stdout.readline()
        (child,) = handle.list_descendants()
        assert not handle.has_ended()
        handle.kill()
        assert handle.has_ended(60)
        assert handle.list_descendants() == []
        os.kill(child.pid, signal.SIGKILL)
    handle.kill()  # does nothing
    handle.close()


def test_a_process_that_does_not_exist_has_no_handle():
    with pytest.raises(OSError, match=r"No such process|Invalid argument"):
        ProcessHandle(2**22 + 1)
