"""One command with everything that it may see."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Network = Literal["closed", "open"]


@dataclass(frozen=True, slots=True)
class Hole:
    """One of the two ways from inside a sandbox to the harness: a port inside, a Unix socket outside."""

    port: int
    """Port on the sandbox's own loopback interface."""
    socket: Path
    """Unix socket outside, served by the harness."""
    variables: Mapping[str, str]
    """Environment variables that tell the job the address: each name with what follows `http://localhost:PORT`
    in its value, such as `{"VALIDATE_URL": "", "OPENAI_BASE_URL": "/v1"}`."""

    def addresses(self, port: int | None = None) -> dict[str, str]:
        """Return the variables with their values, for another port where that one was taken."""
        return {name: f"http://localhost:{port or self.port}{rest}" for name, rest in self.variables.items()}


@dataclass(frozen=True, slots=True)
class Job:
    """One command with everything it may see.

    The command runs in `/home/agent`, as a user who is not root where the sandbox can arrange that.
    """

    name: str
    """Label of the run, unique on this machine; not shown inside."""
    command: tuple[str, ...]
    """Argument vector; an item `{python}` becomes a Python interpreter with the scientific stack."""
    data: Path
    """Folder shown read-only as `/home/data`."""
    instructions: Path
    """File shown read-only as `/home/instructions.txt`."""
    home: Path
    """Folder of this run alone that holds `submission`, `code`, `logs` and `agent`, all writable inside
    as `/home/submission` and so on."""
    log: Path
    """File that receives the job's standard output and error."""
    tools: Path | None = None
    """Folder whose files are shown read-only in `/home`, such as `validate_submission.sh`."""
    holes: tuple[Hole, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    network: Network = "closed"
    """`closed` leaves nothing but the holes; `open` adds what the container engine's own network reaches: the
    internet, this machine's servers that listen on all addresses, and other jobs whose network is open."""
    image: str | None = None
    """Container image to run in, by name or id; `None` is the sandbox's own choice. Ignored where there are none."""
    python: Path | None = None
    """Interpreter of a virtual environment, shown read-only, that `{python}` stands for; `None` is the sandbox's
    own choice. Ignored where there are images."""
