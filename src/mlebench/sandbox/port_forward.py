"""A port inside a sandbox that leads to a server of the harness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class PortForward:
    """Forwards a TCP port inside the sandbox to a Unix socket outside."""

    port: int
    """Port on the sandbox's own loopback interface."""
    socket: Path
    """Unix socket outside, served by the harness."""
    variables: Mapping[str, str]
    """Environment variables that tell the job the address. A value is the path that follows `http://localhost:PORT`,
    as in `{"VALIDATE_URL": "", "OPENAI_BASE_URL": "/v1"}`."""

    def environment(self, port: int | None = None) -> dict[str, str]:
        """Return the variables with complete addresses; `port` replaces a port that was taken."""
        return {name: f"http://localhost:{port or self.port}{path}" for name, path in self.variables.items()}
