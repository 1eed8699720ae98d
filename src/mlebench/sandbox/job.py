"""One command with everything it may see."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mlebench.sandbox.network import Network
    from mlebench.sandbox.port_forward import PortForward


@dataclass(frozen=True, slots=True)
class Job:
    """One command with everything it may see.

    The command runs in `/home/agent`. It runs as a user other than root wherever the sandbox can arrange that.
    """

    name: str
    """Label of the run, unique on this machine. The job does not see it."""
    command: tuple[str, ...]
    """Argument vector. An item `{python}` becomes a Python interpreter with the scientific stack."""
    data: Path
    """Folder mounted read-only at `/home/data`."""
    instructions: Path
    """File mounted read-only at `/home/instructions.txt`."""
    home: Path
    """Folder of this run with the subfolders `submission`, `code`, `logs` and `agent`, mounted writable at
    `/home/submission` and so on."""
    log: Path
    """File that receives the job's standard output and error."""
    tools: Path | None = None
    """Folder whose files are mounted read-only in `/home`, such as `validate_submission.sh`."""
    port_forwards: tuple[PortForward, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    network: Network = "closed"
    image: str | None = None
    """Container image to run in, by name or id. `None` is the sandbox's default. Sandboxes without images ignore it."""
    python: Path | None = None
    """Interpreter of a virtual environment, mounted read-only, that `{python}` stands for. `None` is the sandbox's
    default. Sandboxes with images ignore it."""
