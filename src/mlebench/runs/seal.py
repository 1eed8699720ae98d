"""Sealing the files of an attempt: their digests, in the format of `sha256sum -c`.

The log of events records the digest of this list, which therefore covers every byte in the attempt's folder. It also
records the digest of the folders' names, since the list does not name empty folders.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mlebench.ground.files import write_atomically
from mlebench.runs.layout import CURVE, EVENTS, SUMS
from mlebench.runs.leftovers import is_leftover_file
from mlebench.runs.untrusted import read_digest

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from mlebench.sandbox.base import EventSink

LATER = frozenset({SUMS, EVENTS, CURVE})
"""Files that are written after the seal; each is covered by an event."""
_ANY_SIZE = 2**63
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"\\": b"\\"}


@dataclass(slots=True)
class Inventory:
    """What a folder contains, by sorted relative paths; links are files of it, and are not followed."""

    files: dict[bytes, int] = field(default_factory=dict)
    """With their sizes in bytes."""
    folders: list[bytes] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        """Sum of the files' sizes."""
        return sum(self.files.values())

    @property
    def folders_digest(self) -> str:
        """SHA-256 of the folders' names."""
        return hashlib.sha256(b"".join(folder + b"\0" for folder in self.folders)).hexdigest()


def seal(folder: Path, events: EventSink) -> None:
    """Write the list of digests of an attempt's folder, and log the digest of the list as the event `sealed`."""
    found = take_inventory(folder)
    digests = {path: read_digest(folder / os.fsdecode(path), _ANY_SIZE) for path in found.files}
    content = b"".join(_line(path, digest) for path, digest in digests.items())
    write_atomically(folder / SUMS, content)
    events(
        "sealed",
        files=len(digests),
        bytes=found.bytes,
        folders=found.folders_digest,
        sha256=hashlib.sha256(content).hexdigest(),
    )


def take_inventory(folder: Path) -> Inventory:
    """Return what an attempt's folder contains, without the files that are written after the seal."""
    found = _walk(folder)
    found.files = {path: size for path, size in found.files.items() if not _is_later(os.fsdecode(path))}
    return found


def read_sums(content: bytes) -> dict[bytes, str]:
    """Return the digests of a list by relative path; ValueError if the list is damaged."""
    found = {}
    *lines, rest = content.split(b"\n")
    for line in lines:
        digest, _, name = line.removeprefix(b"\\").partition(b"  ")
        if line.startswith(b"\\"):
            name = re.sub(rb"\\([nr\\])", lambda match: _ESCAPES[match[1]], name)
        if len(digest) != 64 or not name:
            raise ValueError("It has a damaged line.")
        found[name] = digest.decode("ascii", "replace")
    if rest:
        raise ValueError("It does not end with a whole line.")
    return found


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def folder_digest(folder: Path) -> str:
    """Return a digest of the names and contents of all files in a folder."""
    lines: Iterable[bytes] = (_line(path, file_digest(folder / os.fsdecode(path))) for path in _walk(folder).files)
    return hashlib.sha256(b"".join(lines)).hexdigest()


def _is_later(name: str) -> bool:
    return name in LATER or is_leftover_file(name)


def _line(path: bytes, digest: str) -> bytes:
    escaped = path.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
    return (b"\\" if escaped != path else b"") + digest.encode() + b"  " + escaped + b"\n"


def _walk(top: Path) -> Inventory:
    files, folders, waiting = {}, [], [b""]
    while waiting:
        prefix = waiting.pop()
        with os.scandir(os.path.join(os.fsencode(top), prefix)) as entries:  # noqa: PTH118
            for entry in entries:
                path = prefix + entry.name
                if entry.is_dir(follow_symlinks=False):
                    folders.append(path)
                    waiting.append(path + b"/")
                else:
                    files[path] = entry.stat(follow_symlinks=False).st_size
    return Inventory(dict(sorted(files.items())), sorted(folders))
