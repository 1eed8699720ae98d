"""What the harness tells the first process inside a sandbox."""

from __future__ import annotations

import json
from typing import NamedTuple


class Forward(NamedTuple):
    """One port forward, as seen from inside."""

    port: int
    """Port to listen on."""
    socket: str
    """Path of the Unix socket that leads to the harness."""
    variables: dict[str, str]
    """Environment variables to set when another port has to be used, with the paths that follow the address."""


class Config(NamedTuple):
    """What to set up, and what to run. JSON carries it into the sandbox."""

    command: list[str]
    """Argument vector of the job."""
    forwards: list[Forward]
    rlimits: dict[str, int]
    """Resource limits by their names in the module `resource`, such as `{"RLIMIT_FSIZE": 1024}`."""
    cpus: list[int] | None = None
    """CPUs to run on; None for all."""
    harness: int | None = None
    """Process id of the harness, if this process is to supervise the command on its behalf; None to become the
    command."""
    environment: dict[str, str] | None = None
    """The job's variables, in addition to those of the image; None to keep those that are set."""
    seccomp_filter: str | None = None
    """Seccomp filter to install, in hexadecimal."""

    def encode(self) -> bytes:
        """Return the config as one line of JSON, without the line break."""
        return json.dumps(self._asdict()).encode()

    @classmethod
    def decode(cls, text: str) -> Config:
        """Return the config that `encode` made a text of."""
        fields = json.loads(text)
        return cls(**fields | {"forwards": [Forward(*forward) for forward in fields["forwards"]]})
