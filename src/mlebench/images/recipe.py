"""The inputs of an image: a folder with a Dockerfile, the base image, and the name that follows from both."""

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
LABEL_PREFIX = "mlebench."
"""Prefix of the labels that mlebench gives its images."""
AGENT_DOCKERFILE = _HERE / "agent" / DOCKERFILE
"""Installs the requirements of an agent on a base image."""
DEFAULT_BASES = {
    "minimal": "python:3.12-slim-bookworm",
    "cpu": "python:3.12-slim-bookworm",
    "cuda": "nvidia/cuda:12.6.3-cudnn-runtime-ubuntu24.04",
}
"""Image that each variant of the base image is built on, from a registry."""
_BASE_REPOSITORY = "mlebench/base"
_TAG_DIGITS = 12
_EXECUTABLE = 0o100


def base_requirements(variant: str) -> Path:
    """Return the file with the packages of a base image; UnknownNameError if there is no such variant."""
    if variant not in DEFAULT_BASES:
        raise UnknownNameError("variant of the base image", variant, DEFAULT_BASES)
    return _HERE / "base" / "requirements" / f"{variant}.txt"


@dataclass(frozen=True)
class Recipe:
    """The inputs of an image."""

    repository: str
    """Name without a tag, such as `mlebench/base`."""
    variant: str
    """`minimal`, `cpu` or `cuda`; the agent's id for the image of an agent."""
    base: str
    """Name or id of the image to build on."""
    files: tuple[tuple[str, Path], ...]
    """The build context: paths in the build folder, and where the files are now."""
    build_args: tuple[tuple[str, str], ...] = ()
    """Names and values of further `ARG`s of the Dockerfile. `BASE_IMAGE` is always among them."""

    @classmethod
    def for_base(cls, variant: str, base: str | None = None) -> Recipe:
        """Return the recipe of the base image.

        Parameters
        ----------
        variant : str
            `minimal`, `cpu` or `cuda`.
        base : str, optional
            Image to build on, instead of the variant's default.

        Raises
        ------
        UnknownNameError
            If there is no such variant.
        """
        files = (
            (DOCKERFILE, _HERE / "base" / DOCKERFILE),
            (REQUIREMENTS, base_requirements(variant)),
        )
        return cls(_BASE_REPOSITORY, variant, base or DEFAULT_BASES[variant], files)

    @property
    def is_base(self) -> bool:
        """Whether this is the base image, and not that of an agent."""
        return self.repository == _BASE_REPOSITORY

    @property
    def latest_tag(self) -> str:
        """The name of the image that was built last."""
        return f"{self.repository}:{self.variant if self.is_base else 'latest'}"

    def digest(self, base_id: str) -> str:
        """Return the SHA-256 of all inputs, including the id of the base image."""
        total = hashlib.sha256("".join((base_id, *(f"\n{name}={value}" for name, value in self.build_args))).encode())
        for name, path in sorted(self.files):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            is_executable = bool(path.stat().st_mode & _EXECUTABLE)
            total.update(f"\n{len(name)} {name} {is_executable} {content}".encode())
        return total.hexdigest()

    def tag(self, digest: str) -> str:
        """Return the name of the image with this digest of its inputs."""
        prefix = f"{self.variant}-" if self.is_base else ""
        return f"{self.repository}:{prefix}{digest[:_TAG_DIGITS]}"

    def labels(self, digest: str, base_id: str) -> dict[str, str]:
        """Return the labels of the image."""
        facts = {
            "kind": "base" if self.is_base else "agent",
            "variant": self.variant,
            "inputs": digest,
            "base": base_id,
            "version": __version__,
        }
        return {LABEL_PREFIX + name: value for name, value in facts.items()}

    def copy_files(self, folder: Path) -> None:
        """Copy the files into a build folder; UsageError if the path of one leads out of it."""
        for name, path in self.files:
            target = folder / name
            if not target.resolve().is_relative_to(folder.resolve()):
                raise UsageError(f"{path} cannot be copied into the image: its name {name!r} leads out of the folder.")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            shutil.copymode(path, target)
