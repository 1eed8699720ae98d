"""A virtual environment for an agent's packages, made once from its requirements, outside of every run.

Sandboxes that do not run images show it to the agent, read-only; images hold the same packages. An environment also
holds the packages of the base image, so the code that an agent writes runs alike in every sandbox.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import time
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from mlebench.agents.interpreters import find_python
from mlebench.errors import EnvironmentUnfitError
from mlebench.ground.clock import now
from mlebench.ground.files import folder_size, write_atomically
from mlebench.images.recipe import base_requirements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mlebench.agents.declaration import Agent

FOLDER_VARIABLE = "MLEBENCH_ENVIRONMENTS"
"""Names the folder of all environments; the default is in the user's cache folder."""
RECORD = "environment.json"
_INSTALLERS = ("pip", "setuptools")
"""Packages that are left out of the record."""
_LIST_PACKAGES = (
    "import importlib.metadata as m; print(*{f'{d.name}=={d.version}' for d in m.distributions()}, sep='\\n')"
)


class Environment(BaseModel):
    """The content of `environment.json`, written when everything is installed."""

    model_config = ConfigDict(frozen=True)

    format_version: Literal[1] = 1
    agent: str
    inputs: str
    """SHA-256 of the inputs: interpreter, requirements, and the packages of the base image."""
    requirements: str
    """SHA-256 of the agent's requirements alone."""
    base: str
    """Which packages of the base image it also holds: `minimal`, `cpu` or `cuda`."""
    python: str
    """Version of the interpreter."""
    packages: tuple[str, ...]
    """The installed packages, as `name==version`."""
    bytes: int
    seconds: float
    """Duration of the installation."""
    created_at: datetime
    folder: Path

    @property
    def executable(self) -> Path:
        """The interpreter."""
        return self.folder / "bin" / "python"

    @property
    def digest(self) -> str:
        """SHA-256 of the result: interpreter and packages with their versions."""
        return hashlib.sha256("\n".join((self.python, platform.machine(), *self.packages)).encode()).hexdigest()


def environments_folder() -> Path:
    """Return the folder of all environments."""
    from mlebench.tasks.registry import DEFAULT_DATA_DIR

    return Path(os.environ.get(FOLDER_VARIABLE) or DEFAULT_DATA_DIR.parent / "environments").absolute()


def find_environment(agent: Agent) -> Environment | None:
    """Return the newest environment of an agent with its present requirements, or None."""
    wanted = _digest(_read_requirements(agent))
    found = []
    for path in environments_folder().glob(f"{agent.family}-*/{RECORD}"):
        try:
            record = Environment.model_validate_json(path.read_bytes())
        except (OSError, ValidationError):  # just removed, or written by another release
            continue
        if record.agent == agent.family and record.requirements == wanted and record.folder == path.parent:
            found.append(record)
    return max(found, key=lambda record: record.created_at, default=None)


def install_environment(
    agent: Agent,
    *,
    base: str = "minimal",
    python: Path | None = None,
    force: bool = False,
    log: IO[bytes] | None = None,
) -> tuple[Environment, bool]:
    """Return the environment of an agent, and whether this call made it.

    Parameters
    ----------
    agent : Agent
        The agent whose requirements are installed.
    base : {"minimal", "cpu", "cuda"}
        Packages of the base image to install too.
    python : Path, optional
        Interpreter to make the environment with. The default is the first on this machine that is new enough.
    force : bool
        Make the environment again, even if there is one.
    log : binary file, optional
        Receives the output of the installers.

    Raises
    ------
    EnvironmentUnfitError
        No interpreter is new enough, or a package cannot be installed.
    """
    start = time.monotonic()
    interpreter = find_python(agent, python)
    requirements, base_packages = _read_requirements(agent), base_requirements(base)
    inputs = _digest(*interpreter.facts, base, base_packages.read_bytes(), requirements)
    folder = environments_folder() / f"{agent.family}-{inputs[:12]}"
    with _locked(folder):
        existing = _read_record(folder)
        if existing and not force:
            return existing, False
        shutil.rmtree(folder, ignore_errors=True)
        _make_venv(interpreter.path, folder, agent, log)
        packages = ["-r", str(agent.requirements)] if agent.requirements else []
        if agent.declaration.locked:
            _install_packages(folder, ["-r", str(base_packages)], agent, log)
            # The pinned packages fit together. Resolving them again takes minutes, and may find a false conflict.
            _install_packages(folder, ["--no-deps", *packages], agent, log)
        else:
            _install_packages(folder, ["-r", str(base_packages), *packages], agent, log)
        listing = _call([str(folder / "bin/python"), "-I", "-c", _LIST_PACKAGES], agent, log).split()
        installed = [package for package in listing if package.partition("==")[0] not in _INSTALLERS]
        _, size = folder_size(folder, open_to_all=True)  # jobs run as another user
        record = Environment(
            agent=agent.family,
            inputs=inputs,
            requirements=_digest(requirements),
            base=base,
            python=interpreter.version,
            packages=tuple(sorted(installed, key=str.lower)),
            bytes=size,
            seconds=round(time.monotonic() - start, 1),
            created_at=now(),
            folder=folder,
        )
        write_atomically(folder / RECORD, record.model_dump_json(indent=2) + "\n")
    return record, True


def _read_requirements(agent: Agent) -> bytes:
    content = agent.requirements.read_bytes() if agent.requirements else b""
    return content + (b"\nlocked" if agent.declaration.locked else b"")


def _read_record(folder: Path) -> Environment | None:
    try:
        return Environment.model_validate_json((folder / RECORD).read_bytes())
    except (OSError, ValidationError):
        return None


def _digest(*parts: str | bytes) -> str:
    total = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        total.update(b"%d " % len(content) + content)
    return total.hexdigest()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one process at a time make an environment; the others wait, and then find it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f".{folder.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make_venv(interpreter: Path, folder: Path, agent: Agent, log: IO[bytes] | None) -> None:
    """Make an environment that holds only pip, which some agents call."""
    uv = _find_uv()
    _call([str(interpreter), "-m", "venv", *(["--without-pip"] if uv else []), str(folder)], agent, log)
    if uv:
        python = str(folder / "bin" / "python")
        try:
            _call([uv, "pip", "install", "--quiet", "--python", python, "pip"], agent, log)
        except EnvironmentUnfitError:
            _call([python, "-m", "ensurepip", "--default-pip"], agent, log)


def _install_packages(folder: Path, packages: Sequence[str], agent: Agent, log: IO[bytes] | None) -> None:
    """Install packages with uv; use pip, which is several times slower, where uv is missing or fails."""
    python = str(folder / "bin" / "python")
    if uv := _find_uv():
        with suppress(EnvironmentUnfitError):  # uv does not read pip's settings, such as another index
            _call([uv, "pip", "install", "--quiet", "--python", python, "--compile-bytecode", *packages], agent, log)
            return
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
    _call([*pip, *packages], agent, log)


def _find_uv() -> str | None:
    try:
        from uv import find_uv_bin
    except ImportError:
        return shutil.which("uv")
    return str(find_uv_bin())


def _call(command: Sequence[str], agent: Agent, log: IO[bytes] | None) -> str:
    """Run a command of the installation and return its stdout; EnvironmentUnfitError has the last error it prints."""
    # Neither Python's variables nor the user's own packages may change the result.
    unset = ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_REQUIRE_VIRTUALENV")
    variables = {name: value for name, value in os.environ.items() if name not in unset}
    done = subprocess.run(
        command,
        env=variables | {"PYTHONNOUSERSITE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        start_new_session=True,
    )
    if log:
        log.write(done.stdout + done.stderr)
    if done.returncode:
        lines = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
        errors = [line for line in lines if line.startswith("ERROR:")] or lines[-1:] or ["no reason was given"]
        reason = errors[-1].removeprefix("ERROR:").strip().rstrip(".")
        raise EnvironmentUnfitError(f"The packages of the agent {agent.id} could not be installed: {reason}.")
    return done.stdout.decode(errors="replace")
