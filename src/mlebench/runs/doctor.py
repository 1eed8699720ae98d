"""Checks of this machine: what it has for runs, what it lacks, and how to get it."""

from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import CredentialsError, EngineError, MissingExtraError
from mlebench.ground.wording import count
from mlebench.images.image import list_images
from mlebench.kaggle.credentials import HOW_TO_AUTHENTICATE, find_credentials
from mlebench.sandbox import get_sandbox, sandbox_names
from mlebench.sandbox.engine import ENGINES, Engine
from mlebench.sandbox.kernel.cgroup import ENFORCERS
from mlebench.sandbox.limits import GiB
from mlebench.tasks.registry import open_registry

if TYPE_CHECKING:
    from mlebench.sandbox.base import Sandbox

DISK_NEEDED = {"the demo": 1, "the split low": 200, "all 75 competitions": 3300}
"""Disk space that prepared data needs, in GiB."""
MEMORY_NEEDED = 2
"""Memory that the demo needs, in GiB."""
_GPU_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked."""

    name: str
    """`python`, the name of a sandbox, `images`, `memory`, `disk`, `gpu` or `kaggle`."""
    works: bool
    needed: bool
    """Whether no run can be trusted without it."""
    facts: str
    """What was found."""
    remedy: str = ""
    """What to do if it does not work; empty if `facts` says it."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All checks of this machine."""

    checks: tuple[Check, ...]

    @property
    def is_healthy(self) -> bool:
        """Whether everything works that is needed."""
        return all(check.works for check in self.checks if check.needed)


def doctor(data_dir: Path | str | None = None) -> Diagnosis:
    """Check what this machine has for runs. Each sandbox is tried with an empty job.

    Parameters
    ----------
    data_dir : Path or str, optional
        Folder of the competitions' data, whose disk is checked. By default mle-bench/data in the user's cache folder.

    Returns
    -------
    Diagnosis
        The checks, and whether everything works that is needed.

    Examples
    --------
    >>> import mlebench
    >>> diagnosis = mlebench.doctor()
    >>> diagnosis.checks[0].name, diagnosis.checks[0].works
    ('python', True)
    """
    folder = open_registry(None if data_dir is None else Path(data_dir)).get_data_dir()
    return Diagnosis(
        (
            _check_python(),
            *_check_sandboxes(),
            *_check_images(),
            _check_memory(),
            _check_disk(folder),
            _check_gpus(),
            _check_kaggle(),
        )
    )


def _check_python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    return Check("python", works=True, needed=True, facts=f"{version}, {sys.executable}")


def _check_sandboxes() -> list[Check]:
    checks = []
    for name in sandbox_names():
        sandbox = get_sandbox(name)
        problem = sandbox.probe()
        isolates = sandbox.guarantees["answers"]
        facts = problem or _describe_sandbox(sandbox)
        checks.append(Check(name, works=problem is None, needed=isolates, facts=facts))
    # One sandbox with isolation is enough. If none works, the first is the one to fix.
    is_enough = any(check.works for check in checks if check.needed)
    return [
        dataclasses.replace(check, needed=check.needed and not is_enough and number == 0)
        for number, check in enumerate(checks)
    ]


def _describe_sandbox(sandbox: Sandbox) -> str:
    isolation = "isolates" if sandbox.guarantees["answers"] else "provides no isolation, for trusted agents only"
    return f"{isolation}; {ENFORCERS[sandbox.enforcement]} limits memory ({sandbox.enforcement})"


def _check_images() -> list[Check]:
    checks = []
    for name in ENGINES:
        with suppress(EngineError):
            engine = Engine(name)
            version, images = engine.version(), list_images(engine)
            facts = f"{name} {version} has {', '.join(image.tag for image in images) or 'no image of mlebench'}"
            remedy = f"Run: mlebench image build --engine {name}"
            checks.append(Check("images", works=bool(images), needed=False, facts=facts, remedy=remedy))
    return checks


def _check_memory() -> Check:
    import psutil

    total = psutil.virtual_memory().total / GiB
    facts = f"{total:.0f} GiB, {count(os.cpu_count() or 1, 'core')}"
    remedy = f"The demo needs {MEMORY_NEEDED} GiB."
    return Check("memory", works=total >= MEMORY_NEEDED, needed=True, facts=facts, remedy=remedy)


def _check_disk(data_dir: Path) -> Check:
    remedy = "Choose another folder with --data-dir."
    parent = next(path for path in (data_dir, *data_dir.parents) if os.path.lexists(path))
    if not (parent.is_dir() and os.access(parent, os.W_OK | os.X_OK)):
        return Check("disk", works=False, needed=True, facts=f"cannot write to {data_dir}", remedy=remedy)
    free = shutil.disk_usage(parent).free / GiB
    enough = [name for name, needed in DISK_NEEDED.items() if free >= needed]
    facts = f"{free:.0f} GiB free at {data_dir}, enough for {enough[-1] if enough else 'nothing'}"
    return Check("disk", works=bool(enough), needed=True, facts=facts, remedy=remedy)


def _check_gpus() -> Check:
    if not shutil.which("nvidia-smi"):
        remedy = "GPUs are optional; without them agents see the CPU only."
        return Check("gpu", works=False, needed=False, facts="no nvidia-smi", remedy=remedy)
    try:
        result = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, timeout=_GPU_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        remedy = "Its driver hangs. Restart the machine."
        return Check("gpu", works=False, needed=False, facts="nvidia-smi does not answer", remedy=remedy)
    names = [line.split(" (UUID")[0] for line in result.stdout.splitlines()]
    return Check("gpu", works=bool(names), needed=False, facts="; ".join(names) or "nvidia-smi finds no GPU")


def _check_kaggle() -> Check:
    try:
        credentials = find_credentials()
    except MissingExtraError as error:
        facts, remedy = "the Kaggle client, which real data needs, is not installed", str(error)
    except (CredentialsError, OSError) as error:
        facts, remedy = "the credentials cannot be read", str(error)
    else:
        if credentials:
            return Check("kaggle", works=True, needed=False, facts=f"credentials from {credentials.origin}")
        facts, remedy = "no credentials", f"For real data, {HOW_TO_AUTHENTICATE}."
    return Check("kaggle", works=False, needed=False, facts=facts, remedy=remedy)
