"""Python interpreters of this machine, for agents whose packages need a newer one than the harness has."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mlebench.errors import EnvironmentUnfitError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.agents.declaration import Agent

_NAMES = ("python3.13", "python3.12", "python3.11", "python3")
_ASK = "import ensurepip, sys, venv; print(sys.version.split()[0], sys.implementation.name)"


class Interpreter(NamedTuple):
    """A Python that can make virtual environments."""

    path: Path
    version: str
    """Such as `3.12.1`."""
    implementation: str

    @property
    def facts(self) -> tuple[str, ...]:
        """What decides which files of a package are installed."""
        return self.implementation, self.version, platform.machine()

    def is_at_least(self, minimum: str | None) -> bool:
        return minimum is None or _numbers(self.version) >= _numbers(minimum)


def find_python(agent: Agent, path: Path | None = None) -> Interpreter:
    """Return the interpreter for an agent's environment: the one at `path`, else the first here that is new enough.

    The harness's own comes first; then those on PATH and those of pyenv. EnvironmentUnfitError if none fits.
    """
    minimum = agent.declaration.python
    if path is not None:
        named = _ask(path)
        if named is None:
            raise EnvironmentUnfitError(f"{path} is no Python that can make virtual environments.")
        if not named.is_at_least(minimum):
            raise EnvironmentUnfitError(
                f"{path} is Python {named.version}, and the agent {agent.id} needs {minimum} or newer."
            )
        return named
    for candidate in _candidates():
        found = _ask(candidate)
        if found and found.is_at_least(minimum):
            return found
    raise EnvironmentUnfitError(
        f"The agent {agent.id} needs Python {minimum or '3'} or newer with venv and pip, and there is none on PATH; "
        f"name one with: mlebench agent install {agent.name} --python PATH"
    )


def _candidates() -> Iterator[Path]:
    """Yield paths that may be interpreters, the harness's own without its packages first."""
    yield Path(getattr(sys, "_base_executable", sys.executable))
    for name in _NAMES:
        if found := shutil.which(name):
            yield Path(found)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob("versions/3.*/bin/python3"), key=lambda path: _numbers(path.parts[-3]))


def _ask(path: Path) -> Interpreter | None:
    try:
        done = subprocess.run([path, "-I", "-c", _ASK], capture_output=True, text=True, timeout=60, check=False)
        version, implementation = done.stdout.split()
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return Interpreter(path, version, implementation)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]
