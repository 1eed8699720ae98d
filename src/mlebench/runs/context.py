"""What is the same for all runs of a group."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mlebench.agents.installation import Installation
    from mlebench.gateway.check import CheckGateway
    from mlebench.gateway.models import ModelGateway
    from mlebench.grading.pool import GradingPool
    from mlebench.sandbox.base import Sandbox
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.network import Network
    from mlebench.sandbox.stop import StopSignal


@dataclass(frozen=True)
class RunContext:
    """What is the same for all runs of a group."""

    sandbox: Sandbox
    limits: Limits
    stop: StopSignal
    runs_dir: Path
    """Folder of the groups; agents work in `.work` below it."""
    group: str
    """Digest of the group's plan and machine, which each run records."""
    grading: GradingPool
    """Checks and grades what agents submit."""
    checks: CheckGateway
    """Serves the submission check to agents."""
    obfuscated: bool = False
    network: Network = "closed"
    models: ModelGateway | None = None
    installations: Mapping[str, Installation] = field(default_factory=dict)
    """The packages of agents, by the agent's id; other agents have those of every job."""
