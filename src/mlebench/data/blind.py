"""The data of an obfuscated run: the public files under a path that names nothing, with the obfuscated brief.

    DATA/.blind/DIGEST/     hard links to prepared/public, except for description.md

The kernel tells a sandbox the host path of what it shows, so the competition's id may not stand in it.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.data import DESCRIPTION, MANIFEST, locked
from mlebench.ground.files import write_atomically
from mlebench.preparation import place_files

if TYPE_CHECKING:
    from mlebench.tasks.competition import Competition

BLIND = ".blind"
_SALT = "salt"


def blind_view(competition: Competition) -> Path:
    """Return the folder that an obfuscated run gets as its data; it is made if it is not there yet."""
    home = competition.prepared_dir.parents[1] / BLIND
    home.mkdir(exist_ok=True)
    with locked(home / ".lock"):
        target = home / _name(competition, _salt(home / _SALT))
        if target.exists():
            return target
        making = Path(tempfile.mkdtemp(prefix=".making-", dir=home))
        try:
            _link(competition, making)
            making.rename(target)
        except BaseException:
            shutil.rmtree(making, ignore_errors=True)
            raise
    return target


def _salt(path: Path) -> str:
    """Return this data directory's own secret: without it, somebody could hash all ids and compare."""
    if not path.exists():
        write_atomically(path, secrets.token_hex(16))
    return path.read_text(encoding="utf-8")


def _name(competition: Competition, salt: str) -> str:
    """Return a name that changes with the data and with the brief."""
    manifest = competition.prepared_dir / MANIFEST
    parts = [
        salt,
        competition.label,
        competition.brief(obfuscated=True),
        manifest.read_text(encoding="utf-8") if manifest.exists() else "",
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _link(competition: Competition, target: Path) -> None:
    public = competition.public_dir
    for folder, _, names in os.walk(public):
        inner = Path(folder)
        place_files(
            [name for name in names if inner / name != public / DESCRIPTION], inner, target / inner.relative_to(public)
        )
    for folder, _, _ in os.walk(target):
        Path(folder).chmod(0o755)  # jobs that root starts run as another user
    (target / DESCRIPTION).write_text(competition.brief(obfuscated=True), encoding="utf-8")
    (target / DESCRIPTION).chmod(0o644)
