"""A base image without an image registry: from a root file system in a folder, or from Debian's packages."""

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
"""Its Python, 3.13, is new enough for all agents that come along."""
PACKAGES = ("ca-certificates", "python3", "python3-venv")
REPOSITORY = "mlebench/rootfs"


def import_folder(engine: Engine, folder: Path) -> str:
    """Make an image of a root file system and return its name, which says what the folder held."""
    if not (folder / "usr/bin").is_dir():
        raise EnvironmentUnfitError(f"{folder} is no root file system: it has no usr/bin.")
    tag = f"{REPOSITORY}:{_fingerprint(folder)}"
    if engine.inspect_image(tag) is not None:
        return tag
    changes = ["ENV LANG=C.UTF-8", "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
    words = ["import", *(word for change in changes for word in ("--change", change)), "-", tag]
    tar = ["tar", "-C", str(folder), "--numeric-owner", "--one-file-system", "-c", "."]
    with subprocess.Popen(tar, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as packing:
        assert packing.stdout
        engine.call(*words, stdin=packing.stdout, seconds=1800)
    if packing.returncode:
        raise EngineError(f"tar could not read all of {folder} (exit code {packing.returncode}); try it as root.")
    return tag


def bootstrap(engine: Engine, release: str = RELEASE) -> str:
    """Make a small Debian with Python from packages, and return the name of its image; needs root."""
    name = hashlib.sha256(" ".join((release, *PACKAGES)).encode()).hexdigest()[:12]
    tag = f"{REPOSITORY}:{release}-{name}"
    if engine.inspect_image(tag) is None:
        with tempfile.TemporaryDirectory(prefix="mlebench-rootfs-") as place:
            folder = Path(place) / "root"
            make_folder(folder, release)
            engine.call("tag", import_folder(engine, folder), tag)
    return tag


def make_folder(folder: Path, release: str = RELEASE) -> None:
    """Unpack a small Debian with Python into a new folder; needs root."""
    program = shutil.which("debootstrap")
    if not program or os.geteuid() != 0:
        raise EnvironmentUnfitError(
            "A base image from Debian's packages needs root and debootstrap: apt-get install debootstrap."
        )
    command = [program, "--variant=minbase", f"--include={','.join(PACKAGES)}", release, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    if done.returncode:
        reason = (done.stdout.strip().splitlines() or ["no reason given"])[-1]
        raise EnvironmentUnfitError(f"debootstrap could not make {release}: {reason}.")
    for rest in (*folder.glob("var/cache/apt/archives/*.deb"), *folder.glob("var/lib/apt/lists/*")):
        shutil.rmtree(rest) if rest.is_dir() else rest.unlink()


def _fingerprint(folder: Path) -> str:
    """Return a short digest of names, sizes and times; contents of gigabytes are not read for a name."""
    total = hashlib.sha256()
    for path, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            file = Path(path) / name
            facts = file.lstat()
            total.update(
                f"{file.relative_to(folder)} {facts.st_size} {facts.st_mtime_ns}\n".encode(errors="surrogateescape")
            )
    return total.hexdigest()[:12]
