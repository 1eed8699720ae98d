"""Process 1 of a container, here of a PID namespace, passes on what the harness says."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import os, socket, time
from mlebench.sandbox.entrypoint.container import _supervise
from mlebench.sandbox.entrypoint.protocol import TERMINATE

fork = os.fork

def slow_fork():
    child = fork()
    if not child:
        time.sleep(0.5)
    return child

os.fork = slow_fork
harness, control = socket.socketpair()
harness.sendall(TERMINATE.encode() + b"\\n")
print(_supervise(["sleep", "600"], control), flush=True)
"""


@pytest.mark.slow("programs")
def test_a_request_to_end_reaches_a_command_that_is_only_starting():
    namespace = ("bwrap", "--unshare-pid", "--as-pid-1", "--dev-bind", "/", "/", "--proc", "/proc", "--die-with-parent")
    argv = [*namespace, sys.executable, "-c", SCRIPT]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=600, check=False)
    assert (done.stdout, done.stderr) == ("143\n", "")
