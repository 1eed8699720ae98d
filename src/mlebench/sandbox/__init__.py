"""Where a run takes place: the table of sandboxes."""

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
"""Module, class and arguments. The first three keep the same things from a job; among them bubblewrap comes
first because it needs no image and no daemon."""

_log = logging.getLogger(__name__)


def sandbox_names() -> tuple[str, ...]:
    """Return the names that `get_sandbox` knows, the safest first."""
    return tuple(_SANDBOXES)


def get_sandbox(name: str) -> Sandbox:
    """Return the sandbox of that name; `auto` is the safest that works on this machine."""
    if name == "auto":
        return _safest()
    try:
        module, attribute, arguments = _SANDBOXES[name]
    except KeyError:
        raise UnknownNameError("sandbox", name, ["auto", *_SANDBOXES]) from None
    sandbox: Sandbox = getattr(importlib.import_module(module), attribute)(*arguments)
    return sandbox


def _safest() -> Sandbox:
    obstacles: list[str] = []
    for name in _SANDBOXES:
        sandbox = get_sandbox(name)
        obstacle = sandbox.probe()
        if obstacle is None:
            if not all(sandbox.guarantees.values()):
                _log.warning("NO ISOLATION: the sandbox %r is used because %s", name, " ".join(obstacles))
            return sandbox
        obstacles.append(f"{name} does not work: {obstacle}")
    raise SandboxUnavailableError(" ".join(obstacles))


def find_isolating_sandbox(network: Network = "closed") -> str:
    """Return the name of the safest sandbox that works here, keeps answers out of an agent's reach and has this
    network."""
    obstacles = []
    for name in _SANDBOXES:
        sandbox = get_sandbox(name)
        if not sandbox.guarantees["answers"] or (network == "open" and not sandbox.can_open_network):
            continue
        obstacle = sandbox.probe()
        if obstacle is None:
            return name
        obstacles.append(f"{name}: {obstacle}")
    raise SandboxUnavailableError(
        f"No sandbox that isolates works on this machine ({' '.join(obstacles)}) "
        "Mend that, or say --sandbox process and trust the agent."
    )
