"""Become the command of the job, and translate how it ended."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

EXIT_NOT_EXECUTABLE = 126
EXIT_NOT_FOUND = 127
"""Exit codes of a shell that cannot start a command."""
EXIT_SIGNAL = 128
"""A shell adds the number of the signal that killed a command."""


def exec_command(command: list[str]) -> None:
    """Replace this process by a command; exit as a shell does if that fails."""
    # Python ignores these two signals, and ignored signals stay ignored after exec.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        with suppress(OSError):
            os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        os._exit(EXIT_NOT_FOUND if isinstance(error, FileNotFoundError) else EXIT_NOT_EXECUTABLE)


def shell_exit_code(status: int) -> int:
    """Return the exit code that a shell gives for a status of waitpid(2)."""
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else EXIT_SIGNAL - code
