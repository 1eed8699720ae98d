"""Nothing that a supervised command starts outlives it."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import os, sys
from mlebench.sandbox.entrypoint.subreaper import supervise
code = supervise(["sh", "-c", sys.argv[1]], os.getppid(), lambda: print("ready", flush=True))
print(code, flush=True)
"""


@pytest.mark.slow("programs")
@pytest.mark.parametrize(("command", "code"), [("(setsid sleep 600 &); exit 3", 3), ("sleep 600 & kill -9 $$", 137)])
def test_orphans_are_killed_when_the_command_ends(command, code):
    # The orphan inherits the pipe, so its end shows that the orphan is gone.
    argv = [sys.executable, "-c", SCRIPT, command]
    done = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.split() == ["ready", str(code)]
