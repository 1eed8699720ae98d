"""The network of a job: closed except for port forwards, or open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from mlebench.errors import UsageError

if TYPE_CHECKING:
    from mlebench.sandbox.base import Sandbox

Network = Literal["closed", "open"]
"""`closed` leaves the port forwards only. `open` adds what the container engine's network reaches: the internet,
servers of this machine that listen on all addresses, and other jobs whose network is open."""


def require_network(network: Network, sandbox: Sandbox) -> None:
    """Raise UsageError if a sandbox cannot give a job this network."""
    if network == "open" and not sandbox.can_open_network:
        raise UsageError(
            f"The sandbox {sandbox.name} cannot open the network: the job would reach servers that are private to this "
            "machine. Use --sandbox docker or podman with --network open."
        )
