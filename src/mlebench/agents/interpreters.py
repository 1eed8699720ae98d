"""Python interpreters on this machine, for agents whose packages need a newer one than mlebench runs on."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import EnvironmentUnfitError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.agents.declaration import Agent

_NAMES = ("python3.13", "python3.12", "python3.11", "python3")
_PRINT_VERSION = "import ensurepip, sys, venv; print(sys.version.split()[0], sys.implementation.name)"


@dataclass(frozen=True)
class Interpreter:
    """A Python that can make virtual environments."""

    path: Path
    version: str
    """Such as `3.12.1`."""
    implementation: str

    @property
    def facts(self) -> tuple[str, ...]:
        """Implementation, version and machine: they decide which files of a package are installed."""
        return self.implementation, self.version, platform.machine()

    def is_at_least(self, minimum: str | None) -> bool:
        """Return whether the version is `minimum`, such as `3.12`, or newer."""
        return minimum is None or _version_key(self.version) >= _version_key(minimum)


def find_python(agent: Agent, path: Path | None = None) -> Interpreter:
    """Return the interpreter for an agent's environment.

    Parameters
    ----------
    agent : Agent
        Its declaration may ask for a minimum version.
    path : Path, optional
        The interpreter to use. The default is the first that is new enough: the one that mlebench runs on, those on
        PATH, those of pyenv.

    Raises
    ------
    EnvironmentUnfitError
        No interpreter is new enough, or the one at `path` is not, or cannot make virtual environments.
    """
    minimum = agent.declaration.python
    if path is not None:
        named = _probe(path)
        if named is None:
            raise EnvironmentUnfitError(f"{path} is not a Python that can make virtual environments.")
        if not named.is_at_least(minimum):
            raise EnvironmentUnfitError(
                f"{path} is Python {named.version}, and the agent {agent.id} needs {minimum} or newer."
            )
        return named
    for candidate in _candidates():
        found = _probe(candidate)
        if found and found.is_at_least(minimum):
            return found
    raise EnvironmentUnfitError(
        f"The agent {agent.id} needs Python {minimum or '3'} or newer with venv and pip, and none was found on PATH. "
        f"Name one with: mlebench agent install {agent.name} --python PATH"
    )


def _candidates() -> Iterator[Path]:
    """Yield paths that may be interpreters, first the one that mlebench's own environment was made with."""
    yield Path(getattr(sys, "_base_executable", sys.executable))
    for name in _NAMES:
        if found := shutil.which(name):
            yield Path(found)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob("versions/3.*/bin/python3"), key=lambda path: _version_key(path.parts[-3]))


def _probe(path: Path) -> Interpreter | None:
    """Return what an interpreter says about itself, or None if it is not one that can make environments."""
    try:
        done = subprocess.run(
            [path, "-I", "-c", _PRINT_VERSION], capture_output=True, text=True, timeout=60, check=False
        )
        version, implementation = done.stdout.split()
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return Interpreter(path, version, implementation)


def _version_key(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]
