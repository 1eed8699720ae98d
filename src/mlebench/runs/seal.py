"""Sealing the files of an attempt: their digests, in the format of `sha256sum -c`.

The log of events records the digest of this list, which therefore covers every byte in the attempt's folder.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING

from mlebench.ground.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mlebench.sandbox.base import EventSink

SUMS = "SHA256SUMS"
LATER = frozenset({SUMS, "events.jsonl", "curve.json"})
"""Files that are written after the seal; each is covered by an event."""
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"\\": b"\\"}


def seal(folder: Path, events: EventSink) -> None:
    """Write the list of digests of an attempt's folder, and log the digest of the list as the event `sealed`."""
    digests = {path: file_digest(folder / os.fsdecode(path)) for path in sealed_files(folder)}
    content = b"".join(_line(path, digest) for path, digest in digests.items())
    write_atomically(folder / SUMS, content)
    events("sealed", files=len(digests), sha256=hashlib.sha256(content).hexdigest())


def sealed_files(folder: Path) -> list[bytes]:
    """Return the sealed files of an attempt's folder, as sorted relative paths."""
    return sorted(path for path in _files(os.fsencode(folder), b"") if os.fsdecode(path) not in LATER)


def read_sums(path: Path) -> dict[bytes, str]:
    """Return the digests of a list by relative path; ValueError if the list is damaged."""
    found = {}
    *lines, rest = path.read_bytes().split(b"\n")
    for line in lines:
        digest, _, name = line.removeprefix(b"\\").partition(b"  ")
        if line.startswith(b"\\"):
            name = re.sub(rb"\\([nr\\])", lambda match: _ESCAPES[match[1]], name)
        if len(digest) != 64 or not name:
            raise ValueError(f"{path.name} has a damaged line.")
        found[name] = digest.decode("ascii", "replace")
    if rest:
        raise ValueError(f"{path.name} does not end with a whole line.")
    return found


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def folder_digest(folder: Path) -> str:
    """Return a digest of the names and contents of all files in a folder."""
    lines = (_line(path, file_digest(folder / os.fsdecode(path))) for path in sorted(_files(os.fsencode(folder), b"")))
    return hashlib.sha256(b"".join(lines)).hexdigest()


def _line(path: bytes, digest: str) -> bytes:
    escaped = path.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
    return (b"\\" if escaped != path else b"") + digest.encode() + b"  " + escaped + b"\n"


def _files(folder: bytes, prefix: bytes) -> Iterator[bytes]:
    with os.scandir(folder) as entries:
        for entry in entries:
            below = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                yield from _files(entry.path, below + b"/")
            else:
                yield below
