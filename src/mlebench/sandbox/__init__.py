"""Sandboxes: ways to run a job within limits, and isolated from the host.

bubblewrap, container, process   the sandboxes: each prepares the surroundings of a job and starts it
base                             the protocol that they have in common
job, limits, stop, ending        what goes in, and what comes out
supervision                      watches the running job, and leaves none of its processes alive
entrypoint                       the first process of the job, inside the sandbox
collect                          copies out what the job has written
orphans                          cleans up after a harness that was killed
kernel                           interfaces of Linux
"""

from __future__ import annotations

import importlib
import logging
from typing import TYPE_CHECKING

from mlebench.errors import SandboxUnavailableError, UnknownNameError

if TYPE_CHECKING:
    from mlebench.sandbox.base import Sandbox
    from mlebench.sandbox.network import Network

_SANDBOXES = {
    "bubblewrap": ("mlebench.sandbox.bubblewrap", "BubblewrapSandbox", ()),
    "docker": ("mlebench.sandbox.container", "ContainerSandbox", ("docker",)),
    "podman": ("mlebench.sandbox.container", "ContainerSandbox", ("podman",)),
    "process": ("mlebench.sandbox.process", "ProcessSandbox", ()),
}
"""Module, class and arguments, in the order of preference. The first three protect the same things; bubblewrap comes
first because it needs no image and no daemon."""

_log = logging.getLogger(__name__)


def sandbox_names() -> tuple[str, ...]:
    """Return the names that `get_sandbox` knows, the safest first."""
    return tuple(_SANDBOXES)


def get_sandbox(name: str) -> Sandbox:
    """Return a sandbox by its name; `auto` is the safest that works on this machine.

    Raises
    ------
    UnknownNameError
        If there is no sandbox of this name.
    SandboxUnavailableError
        For `auto`, if none works.
    """
    if name == "auto":
        return _find_safest()
    try:
        module, class_name, arguments = _SANDBOXES[name]
    except KeyError:
        raise UnknownNameError("sandbox", name, ["auto", *_SANDBOXES]) from None
    sandbox: Sandbox = getattr(importlib.import_module(module), class_name)(*arguments)
    return sandbox


def find_isolating_sandbox(network: Network = "closed") -> str:
    """Return the name of the safest sandbox that works here, keeps answers from the agent, and has this network.

    Raises
    ------
    SandboxUnavailableError
        If there is none.
    """
    problems = []
    for name in _SANDBOXES:
        sandbox = get_sandbox(name)
        if not sandbox.guarantees["answers"] or (network == "open" and not sandbox.can_open_network):
            continue
        problem = sandbox.probe()
        if problem is None:
            return name
        problems.append(f"{name}: {problem}")
    raise SandboxUnavailableError(
        f"No sandbox with isolation works on this machine ({' '.join(problems)}). "
        "Fix that, or use --sandbox process if you trust the agent."
    )


def _find_safest() -> Sandbox:
    problems: list[str] = []
    for name in _SANDBOXES:
        sandbox = get_sandbox(name)
        problem = sandbox.probe()
        if problem is None:
            if not all(sandbox.guarantees.values()):
                _log.warning("NO ISOLATION: using the sandbox %r, because: %s", name, " ".join(problems))
            return sandbox
        problems.append(f"{name} does not work: {problem}")
    raise SandboxUnavailableError(" ".join(problems))
