"""An agent's own Python: a virtual environment made once from its requirements, outside of every run.

Sandboxes without images show it to the agent, read-only; images have the same packages inside. It holds the packages
that every job finds in the base image, too, so that what an agent writes runs alike everywhere.
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
"""Names the folder of all environments; by default it is in the user's cache."""
RECORD = "environment.json"
_TOOLS = ("pip", "setuptools")
"""What makes an environment and is no part of it."""
_LIST = "import importlib.metadata as m; print(*{f'{d.name}=={d.version}' for d in m.distributions()}, sep='\\n')"


class Environment(BaseModel):
    """The content of `environment.json`, written when everything is installed."""

    model_config = ConfigDict(frozen=True)

    format_version: Literal[1] = 1
    agent: str
    inputs: str
    """SHA-256 of what went in: interpreter, requirements, and the packages of the base image."""
    requirements: str
    """SHA-256 of the agent's requirements alone."""
    base: str
    """Which packages of the base image are there too: `minimal`, `cpu` or `cuda`."""
    python: str
    """Version of the interpreter."""
    packages: tuple[str, ...]
    """What is installed, as `name==version`."""
    bytes: int
    seconds: float
    """How long the installation took."""
    created_at: datetime
    folder: Path

    @property
    def executable(self) -> Path:
        """The interpreter."""
        return self.folder / "bin" / "python"

    @property
    def digest(self) -> str:
        """SHA-256 of what came out: interpreter and packages with their versions."""
        return hashlib.sha256("\n".join((self.python, platform.machine(), *self.packages)).encode()).hexdigest()


def environments_folder() -> Path:
    """Return the folder of all environments."""
    from mlebench.tasks.registry import DEFAULT_DATA_DIR

    return Path(os.environ.get(FOLDER_VARIABLE) or DEFAULT_DATA_DIR.parent / "environments").absolute()


def installed(agent: Agent) -> Environment | None:
    """Return the environment that was last made for an agent as it is now, or None."""
    wanted = _digest(_requirements(agent))
    found = []
    for path in environments_folder().glob(f"{agent.family}-*/{RECORD}"):
        try:
            record = Environment.model_validate_json(path.read_bytes())
        except (OSError, ValidationError):  # removed meanwhile, or of another release
            continue
        if record.agent == agent.family and record.requirements == wanted and record.folder == path.parent:
            found.append(record)
    return max(found, key=lambda record: record.created_at, default=None)


def install(
    agent: Agent,
    *,
    base: str = "minimal",
    python: Path | None = None,
    force: bool = False,
    log: IO[bytes] | None = None,
) -> tuple[Environment, bool]:
    """Return the environment of an agent and whether it had to be made; one that is there is used unless `force`.

    Raises:
        EnvironmentUnfitError: no interpreter is new enough, or a package cannot be installed.
    """
    began = time.monotonic()
    interpreter = find_python(agent, python)
    requirements, of_base = _requirements(agent), base_requirements(base)
    content: list[str | bytes] = [*interpreter.facts, base, of_base.read_bytes(), requirements]
    inputs = _digest(*content)
    folder = environments_folder() / f"{agent.family}-{inputs[:12]}"
    with _locked(folder):
        made = _read(folder)
        if made and not force:
            return made, False
        shutil.rmtree(folder, ignore_errors=True)
        _make(interpreter.path, folder, agent, log)
        packages = ["-r", str(agent.requirements)] if agent.requirements else []
        if agent.declaration.locked:
            _install(folder, ["-r", str(of_base)], agent, log)
            # What it pins fits together; an installer that asks why takes minutes, or finds that it does not.
            _install(folder, ["--no-deps", *packages], agent, log)
        else:
            _install(folder, ["-r", str(of_base), *packages], agent, log)
        told = _call([str(folder / "bin/python"), "-I", "-c", _LIST], agent, log)
        _, size = folder_size(folder, open_to_all=True)  # jobs are not the user who installs
        record = Environment(
            agent=agent.family,
            inputs=inputs,
            requirements=_digest(requirements),
            base=base,
            python=interpreter.version,
            packages=tuple(
                sorted((word for word in told.split() if word.partition("==")[0] not in _TOOLS), key=str.lower)
            ),
            bytes=size,
            seconds=round(time.monotonic() - began, 1),
            created_at=now(),
            folder=folder,
        )
        write_atomically(folder / RECORD, record.model_dump_json(indent=2) + "\n")
    return record, True


def _requirements(agent: Agent) -> bytes:
    content = agent.requirements.read_bytes() if agent.requirements else b""
    return content + (b"\nlocked" if agent.declaration.locked else b"")


def _read(folder: Path) -> Environment | None:
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
    """Let one process at a time make an environment; the others wait and find it made."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f".{folder.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make(interpreter: Path, folder: Path, agent: Agent, log: IO[bytes] | None) -> None:
    """Make an environment that holds nothing but pip, which some agents look for."""
    uv = _uv()
    _call([str(interpreter), "-m", "venv", *(["--without-pip"] if uv else []), str(folder)], agent, log)
    if uv:
        python = str(folder / "bin" / "python")
        try:
            _call([uv, "pip", "install", "--quiet", "--python", python, "pip"], agent, log)
        except EnvironmentUnfitError:
            _call([python, "-m", "ensurepip", "--default-pip"], agent, log)


def _install(folder: Path, packages: Sequence[str], agent: Agent, log: IO[bytes] | None) -> None:
    """Install packages with uv where it is there and can, else with pip, which takes several times as long."""
    python = str(folder / "bin" / "python")
    if uv := _uv():
        with suppress(EnvironmentUnfitError):  # it does not read pip's settings, such as another index
            _call([uv, "pip", "install", "--quiet", "--python", python, "--compile-bytecode", *packages], agent, log)
            return
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
    _call([*pip, *packages], agent, log)


def _uv() -> str | None:
    try:
        from uv import find_uv_bin
    except ImportError:
        return shutil.which("uv")
    return str(find_uv_bin())


def _call(command: Sequence[str], agent: Agent, log: IO[bytes] | None) -> str:
    """Run a command of the installation; EnvironmentUnfitError with its last words if it fails."""
    # Neither Python's own variables nor a user's packages may change what comes out.
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
        said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
        errors = [line for line in said if line.startswith("ERROR:")] or said[-1:] or ["no reason was given"]
        reason = errors[-1].removeprefix("ERROR:").strip().rstrip(".")
        raise EnvironmentUnfitError(f"The packages of the agent {agent.id} could not be installed: {reason}.")
    return done.stdout.decode(errors="replace")
