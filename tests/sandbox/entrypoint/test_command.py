"""Exit codes and failures are those of a shell."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mlebench.sandbox.entrypoint.command import shell_exit_code

SCRIPT = "import sys; from mlebench.sandbox.entrypoint.command import exec_command; exec_command(sys.argv[1:])"


@pytest.mark.parametrize(
    ("status", "code"), [(0, 0), (3 << 8, 3), (255 << 8, 255), (9, 137), (15, 143), (11 | 128, 139)]
)
def test_a_status_becomes_the_exit_code_of_a_shell(status, code):
    assert shell_exit_code(status) == code


@pytest.mark.slow("programs")
@pytest.mark.parametrize(
    ("program", "code", "message"),
    [("no-such-program", 127, "No such file or directory"), (os.devnull, 126, "Permission denied")],
)
def test_a_command_that_cannot_start_exits_as_in_a_shell(program, code, message):
    done = subprocess.run([sys.executable, "-c", SCRIPT, program], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert done.stderr == f"{program}: {message}\n"
