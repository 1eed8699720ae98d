"""What goes into an image: a folder with a Dockerfile, the base below it, and the name that follows from both."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path

from mlebench.errors import UnknownNameError, UsageError
from mlebench.ground.version import __version__

_HERE = Path(__file__).resolve().parent
DOCKERFILE = "Dockerfile"
REQUIREMENTS = "requirements.txt"
LABEL = "mlebench."
AGENT_DOCKERFILE = _HERE / "agent" / DOCKERFILE
"""Installs an agent's requirements on a base."""
DEFAULT_BASES = {
    "minimal": "python:3.12-slim-bookworm",
    "cpu": "python:3.12-slim-bookworm",
    "cuda": "nvidia/cuda:12.6.3-cudnn-runtime-ubuntu24.04",
}
"""What each variant is built on where a registry is in reach."""


def base_requirements(variant: str) -> Path:
    """Return the file with the packages of a base image; raise UnknownNameError for a variant that there is not."""
    if variant not in DEFAULT_BASES:
        raise UnknownNameError("variant of the base image", variant, DEFAULT_BASES)
    return _HERE / "base" / "requirements" / f"{variant}.txt"


@dataclass(frozen=True)
class Recipe:
    """Everything that an image is made of, but the base image itself."""

    repository: str
    """Name without tag, such as `mlebench/base`."""
    variant: str
    """`minimal`, `cpu` or `cuda`; for an agent's image its id."""
    base: str
    """Image below, by name or id."""
    files: tuple[tuple[str, Path], ...]
    """What the Dockerfile may copy: name inside the build folder, and where it is now."""
    settings: tuple[tuple[str, str], ...] = ()
    """What the Dockerfile is told beside the base: names and values of its arguments."""

    @classmethod
    def of_base(cls, variant: str, base: str | None = None) -> Recipe:
        """Return the recipe of a base image; raise UnknownNameError for a variant that there is not."""
        files = (
            (DOCKERFILE, _HERE / "base" / DOCKERFILE),
            (REQUIREMENTS, base_requirements(variant)),
        )
        return cls("mlebench/base", variant, base or DEFAULT_BASES[variant], files)

    def digest(self, base_id: str) -> str:
        """Return the SHA-256 of what goes in, the base image as it is now included."""
        total = hashlib.sha256("".join((base_id, *(f"\n{name}={value}" for name, value in self.settings))).encode())
        for name, path in sorted(self.files):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            executable = bool(path.stat().st_mode & 0o100)
            total.update(f"\n{len(name)} {name} {executable} {content}".encode())
        return total.hexdigest()

    def tag(self, digest: str) -> str:
        """Return the name of the image with that digest."""
        prefix = f"{self.variant}-" if self.repository == "mlebench/base" else ""
        return f"{self.repository}:{prefix}{digest[:12]}"

    @property
    def alias(self) -> str:
        """The name that always means the image built last."""
        return f"{self.repository}:{self.variant if self.repository == 'mlebench/base' else 'latest'}"

    def labels(self, digest: str, base_id: str) -> dict[str, str]:
        """Return what the image says of itself."""
        kind = "base" if self.repository == "mlebench/base" else "agent"
        facts = {"kind": kind, "variant": self.variant, "inputs": digest, "base": base_id, "version": __version__}
        return {LABEL + name: value for name, value in facts.items()}

    def lay_out(self, folder: Path) -> None:
        """Copy everything into a folder to build in."""
        for name, path in self.files:
            target = folder / name
            if not target.resolve().is_relative_to(folder.resolve()):
                raise UsageError(f"{path} cannot go into an image, since its name leads out of the folder.")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            shutil.copymode(path, target)
