"""The network of a job: none but the holes to the harness, unless somebody opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from mlebench.errors import UsageError

if TYPE_CHECKING:
    from mlebench.sandbox.base import Sandbox

Network = Literal["closed", "open"]


def require(network: Network, sandbox: Sandbox) -> None:
    """Raise UsageError if a sandbox cannot give a job this network."""
    if network == "open" and not sandbox.opens_network:
        raise UsageError(
            f"The sandbox {sandbox.name} cannot open the network without opening the servers that this machine keeps "
            "to itself; use --sandbox docker or podman with --network open."
        )
