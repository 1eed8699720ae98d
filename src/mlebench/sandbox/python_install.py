"""The folders of Python installations that a job sees, and those of mlebench in them, which it must not see."""

from __future__ import annotations

import shlex
import site
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox.home import is_closed

if TYPE_CHECKING:
    from collections.abc import Iterable

_SYSTEM = Path("/usr")


def harness_python_prefixes() -> list[Path]:
    """Return the folders outside /usr that contain the harness's Python, outermost first."""
    prefixes = {Path(prefix) for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
    prefixes |= {prefix.resolve() for prefix in prefixes}
    prefixes.add(Path(sys.executable).resolve().parent.parent)
    chosen: list[Path] = []
    for prefix in sorted(prefixes, key=lambda path: len(path.parts)):
        if len(prefix.parts) > 1 and not any(prefix.is_relative_to(top) for top in (_SYSTEM, *chosen)):
            chosen.append(prefix)
    return chosen


def environment_prefixes(python: Path, mounted: Iterable[Path]) -> list[Path]:
    """Return the folders that contain the interpreter of a virtual environment, except those mounted anyway."""
    folder = python.parent.parent
    homes = [
        line.partition("=")[2].strip()
        for line in (folder / "pyvenv.cfg").read_text().splitlines()
        if line.partition("=")[0].strip() == "home"
    ]
    # The interpreter that made the environment may itself be a link to one elsewhere.
    chosen: list[Path] = []
    for prefix in (folder, *(Path(home).parent for home in homes), python.resolve().parent.parent):
        if not any(prefix.is_relative_to(top) for top in (_SYSTEM, *mounted, *chosen)):
            chosen.append(prefix)
    return chosen


def require_readable(prefixes: Iterable[Path]) -> None:
    """Raise SandboxUnavailableError if only its owner can read the harness's Python or one of its packages."""
    sites = [Path(folder) for folder in site.getsitepackages()]
    for folder in (*prefixes, *sites):
        packages = folder.glob("*") if folder in sites else ()
        if any(path.is_dir() and is_closed(path) for path in (folder, *packages)):
            raise SandboxUnavailableError(
                f"Jobs do not run as root and cannot read {folder}. Run: chmod -R o+rX {shlex.quote(str(folder))}"
            )


def find_package_folders(mounted: Iterable[Path], package: Path) -> list[Path]:
    """Return the folders of a package, and of its metadata, that lie in mounted folders.

    Parameters
    ----------
    mounted : iterable of Path
        Folders that the job sees.
    package : Path
        Folder of the package that the harness has imported.
    """
    package = package.resolve()
    parents = {package.parent, *(Path(folder) for folder in site.getsitepackages())}
    candidates = {package}
    for parent in parents:
        candidates |= {parent / package.name, *parent.glob(f"{package.name}-*.dist-info")}
    tops = {top for folder in mounted for top in (folder, folder.resolve())}
    return sorted(
        folder for folder in candidates if folder.is_dir() and any(folder.is_relative_to(top) for top in tops)
    )
