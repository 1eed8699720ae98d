"""Read the config and start the command in the way that the sandbox needs."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from .command import exec_command
from .config import Config
from .configure import apply_config
from .container import run_in_container
from .protocol import report_ready
from .subreaper import become_subreaper, supervise


def main() -> None:
    """Start the command; the first argument is a file descriptor, or in a container the path of a socket."""
    source = sys.argv[1]
    if source.isdigit():
        run_as_process(int(source))
    else:
        run_in_container(source)


def run_as_process(descriptor: int) -> None:
    """Read the config from a file descriptor, then become the command or supervise it."""
    with os.fdopen(descriptor) as file:
        config = Config.decode(file.read())
    status = config.status_descriptor
    assert status is not None
    os.set_inheritable(status, False)
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
