"""The first process limits itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import resource
from mlebench.sandbox.entrypoint.config import Config
from mlebench.sandbox.entrypoint.configure import apply_config
resource.setrlimit(resource.RLIMIT_NOFILE, (50, 100))
limits = {"RLIMIT_CORE": 0, "RLIMIT_NOFILE": 10**6, "RLIMIT_FSIZE": 4096}
assert apply_config(Config([], [], limits), any_port=False, status=-1) == []
print([resource.getrlimit(getattr(resource, name)) for name in limits])
"""


@pytest.mark.slow("programs")
def test_limits_are_set_and_never_raised_above_the_hard_ones():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[(0, 0), (50, 100), (4096, 4096)]"
