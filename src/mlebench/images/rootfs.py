"""Base images without a registry: from a root file system in a folder, or from Debian's packages."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import EngineError, EnvironmentUnfitError

if TYPE_CHECKING:
    from mlebench.sandbox.engine import Engine

RELEASE = "trixie"
"""Release of Debian. Its Python 3.13 is new enough for all bundled agents."""
PACKAGES = ("ca-certificates", "python3", "python3-venv")
REPOSITORY = "mlebench/rootfs"
_SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_TIMEOUT_SECONDS = 1800
_TAG_DIGITS = 12


def import_rootfs(engine: Engine, folder: Path) -> str:
    """Make an image of a root file system.

    Parameters
    ----------
    engine : Engine
        Docker or Podman.
    folder : Path
        The root file system.

    Returns
    -------
    str
        Name of the image. It follows from the content of the folder, so the same folder is imported once.

    Raises
    ------
    EnvironmentUnfitError
        If the folder is not a root file system.
    EngineError
        If it cannot be read or imported.
    """
    if not (folder / "usr/bin").is_dir():
        raise EnvironmentUnfitError(f"{folder} is not a root file system: it has no usr/bin.")
    tag = f"{REPOSITORY}:{_fingerprint(folder)}"
    if engine.inspect_image(tag) is not None:
        return tag
    changes = ("ENV LANG=C.UTF-8", f"ENV PATH={_SEARCH_PATH}")
    options = [option for change in changes for option in ("--change", change)]
    tar = ["tar", "-C", str(folder), "--numeric-owner", "--one-file-system", "-c", "."]
    with subprocess.Popen(tar, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as archive:
        assert archive.stdout
        engine.call("import", *options, "-", tag, stdin=archive.stdout, seconds=_TIMEOUT_SECONDS)
    if archive.returncode:
        raise EngineError(f"tar could not read all of {folder} (exit code {archive.returncode}). Try it as root.")
    return tag


def bootstrap_image(engine: Engine, release: str = RELEASE) -> str:
    """Make an image of a small Debian with Python, and return its name; needs root.

    Parameters
    ----------
    engine : Engine
        Docker or Podman.
    release : str
        Release of Debian.

    Raises
    ------
    EnvironmentUnfitError
        If debootstrap is missing or fails, or without root's rights.
    """
    digest = hashlib.sha256(" ".join((release, *PACKAGES)).encode()).hexdigest()
    tag = f"{REPOSITORY}:{release}-{digest[:_TAG_DIGITS]}"
    if engine.inspect_image(tag) is None:
        with tempfile.TemporaryDirectory(prefix="mlebench-rootfs-") as parent:
            folder = Path(parent) / "root"
            bootstrap_folder(folder, release)
            engine.call("tag", import_rootfs(engine, folder), tag)
    return tag


def bootstrap_folder(folder: Path, release: str = RELEASE) -> None:
    """Unpack a small Debian with Python into a new folder; needs root. See `bootstrap_image`."""
    program = shutil.which("debootstrap")
    if not program or os.geteuid() != 0:
        raise EnvironmentUnfitError(
            "Making a base image from Debian's packages needs root and debootstrap. Run: apt-get install debootstrap"
        )
    argv = [program, "--variant=minbase", f"--include={','.join(PACKAGES)}", release, str(folder)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, check=False)
    if done.returncode:
        reason = (done.stdout.strip().splitlines() or ["no reason given"])[-1]
        raise EnvironmentUnfitError(f"debootstrap could not make {release}: {reason}.")
    for path in (*folder.glob("var/cache/apt/archives/*.deb"), *folder.glob("var/lib/apt/lists/*")):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _fingerprint(folder: Path) -> str:
    """Return a short digest of names, sizes and times. Reading gigabytes of content would take too long."""
    total = hashlib.sha256()
    for path, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            file = Path(path) / name
            status = file.lstat()
            total.update(
                f"{file.relative_to(folder)} {status.st_size} {status.st_mtime_ns}\n".encode(errors="surrogateescape")
            )
    return total.hexdigest()[:_TAG_DIGITS]
