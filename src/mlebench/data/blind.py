"""The data of an obfuscated run: the public files and the obfuscated brief, under a path without the competition's id.

    DATA/.blind/DIGEST/     hard links to prepared/public, except for description.md

A sandbox can see the host path of its mounts, so that path must not contain the competition's id.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.data.locks import LOCK, locked
from mlebench.data.manifest import DESCRIPTION, MANIFEST
from mlebench.data.neutral import stamp
from mlebench.ground.files import write_atomically
from mlebench.preparation import place_files

if TYPE_CHECKING:
    from mlebench.tasks.competition import Competition

BLIND = ".blind"
_SALT = "salt"


def blind_view(competition: Competition) -> Path:
    """Return the folder that an obfuscated run gets as its data; it is created at the first call."""
    home = competition.prepared_dir.parents[1] / BLIND
    home.mkdir(exist_ok=True)
    with locked(home / LOCK):
        target = home / _name(competition, _salt(home / _SALT))
        if target.exists():
            return target
        scratch = Path(tempfile.mkdtemp(prefix=".making-", dir=home))
        try:
            _link(competition, scratch)
            scratch.rename(target)
        except BaseException:
            shutil.rmtree(scratch, ignore_errors=True)
            raise
    return target


def _salt(path: Path) -> str:
    """Return the secret of this data directory; without it, an agent could hash all ids and compare."""
    if not path.exists():
        write_atomically(path, secrets.token_hex(16))
    return path.read_text(encoding="utf-8")


def _name(competition: Competition, salt: str) -> str:
    """Return a folder name that depends on the data and on the brief."""
    manifest = competition.prepared_dir / MANIFEST
    parts = [
        salt,
        competition.label,
        competition.brief(obfuscated=True),
        manifest.read_text(encoding="utf-8") if manifest.exists() else "",
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _link(competition: Competition, target: Path) -> None:
    """Fill a folder with hard links to the public files and write the obfuscated brief."""
    public = competition.public_dir
    for folder, folders, names in os.walk(public):
        folders.sort()  # no order of anything may tell more than names
        inner = Path(folder)
        kept = [name for name in sorted(names) if inner / name != public / DESCRIPTION]
        place_files(kept, inner, target / inner.relative_to(public))
    for folder, _, _ in os.walk(target):
        Path(folder).chmod(0o755)  # a sandbox that root starts runs jobs as another user
    (target / DESCRIPTION).write_text(competition.brief(obfuscated=True), encoding="utf-8")
    (target / DESCRIPTION).chmod(0o644)
    stamp(target)
