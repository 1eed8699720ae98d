"""Read the config and start the command in the way that the sandbox needs."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from .command import exec_command
from .config import Config
from .configure import apply_config
from .container import run_in_container
from .protocol import report_ready, report_waiting
from .subreaper import become_subreaper, supervise


def main() -> None:
    """Start the command; the arguments are descriptors for the config and for reports, or the path of a socket."""
    source, *status = sys.argv[1:]
    if status:
        run_as_process(int(source), int(status[0]))
    else:
        run_in_container(source)


def run_as_process(source: int, status: int) -> None:
    """Read the config from a file descriptor, then become the command or supervise it.

    Parameters
    ----------
    source : int
        Descriptor of the config.
    status : int
        Descriptor for reports.
    """
    os.set_inheritable(status, False)
    os.write(status, report_waiting())
    with os.fdopen(source) as file:
        config = Config.decode(file.read())
    if config.harness is not None:
        become_subreaper()  # before the forwarder starts, which has to become a child of this process
    ports = apply_config(config, any_port=config.harness is not None, status=status)

    def report() -> None:
        with suppress(BrokenPipeError):  # the harness is gone, which `supervise` notices too
            os.write(status, report_ready(ports))
        os.close(status)

    if config.harness is None:
        report()
        exec_command(config.command)
    else:
        sys.exit(supervise(config.command, config.harness, report))
