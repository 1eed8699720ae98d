"""Apply the config to this process: CPUs, port forwards, resource limits."""

from __future__ import annotations

import os
import resource
from typing import TYPE_CHECKING

from .forwarding import fork_forwarder, listen

if TYPE_CHECKING:
    from .config import Config


def apply_config(config: Config, *, any_port: bool, status: int) -> list[int]:
    """Start the port forwards and limit this process and those that it will start.

    Parameters
    ----------
    config : Config
        What to apply.
    any_port : bool
        Whether a forward may use another port if its own is taken. Its variables are then set accordingly.
    status : int
        File descriptor of the reports, which the forwarder must not keep open.

    Returns
    -------
    list of int
        The ports of the forwards.
    """
    if config.cpus:
        os.sched_setaffinity(0, config.cpus)
    listeners, ports = [], []
    for port, path, variables in config.forwards:
        listener = listen(port, any_port=any_port)
        listeners.append((listener, path))
        ports.append(listener.getsockname()[1])
        os.environ.update({name: f"http://localhost:{ports[-1]}{rest}" for name, rest in variables.items()})
    if listeners:
        fork_forwarder(listeners, close=status)
    for listener, _ in listeners:
        listener.close()
    for name, value in config.rlimits.items():
        kind = getattr(resource, name)
        soft, hard = resource.getrlimit(kind)
        limit = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # Some programs close all files up to the soft limit when they start, so it is not raised.
        resource.setrlimit(kind, (min(soft, limit) if name == "RLIMIT_NOFILE" else limit, limit))
    return ports
