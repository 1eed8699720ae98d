"""Unpacking a competition's archive so that it can be cut short anywhere and gone on with.

raw.partial/          members are unpacked here, several at a time
raw.partial.journal   which archive it is, and the members that are done, a line each
raw/                  the same folder under its name, when all are done
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import threading
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

from mlebench.data.progress import Step
from mlebench.data.space import on_disk, require_space
from mlebench.ground.files import write_atomically
from mlebench.preparation.archives import checked_members, inside, is_folder, opened, write_member

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.data.progress import Progress

PARTIAL = ".partial"
JOURNAL = ".partial.journal"
THREADS = min(4, os.cpu_count() or 1)


def unpack(archive: Path, folder: Path, progress: Progress) -> None:
    """Unpack a zip into a folder that appears whole or not at all; what a call that was cut short did is kept.

    A folder that another program unpacked is completed: files that are there in their size are not unpacked again.
    Raises ArchiveError for a damaged or hostile archive, DiskFullError before the first byte if it cannot fit.
    """
    partial, journal = partial_of(folder), journal_of(folder)
    with opened(archive) as file:
        members = [member for member, _ in checked_members(file, archive)]  # nothing is unpacked from a hostile one
        identity = _identity(members)
        begun = partial.is_dir()
        done = _read_journal(journal, identity) if begun else set()
        if begun and not done:
            shutil.rmtree(partial)
        place = partial
        if not done and folder.is_dir():
            place = folder  # as another program left it
            done = {member.filename for member in members}
        done = {m.filename for m in members if m.filename in done and size_of(_path(place, m)) == m.file_size}
        left = [member for member in members if member.filename not in done]
        size = sum(on_disk(member.file_size) for member in left)
        progress.step(Step.UNPACK, sum(member.file_size for member in members))
        progress.advance(sum(m.file_size for m in members if m.filename in done), len(done))
        require_space(folder.parent, size, f"unpack {archive.name}")
        write_atomically(journal, "\n".join([identity, *map(json.dumps, sorted(done)), ""]))
        if place is folder:
            folder.rename(partial)
        partial.mkdir(exist_ok=True)
        with journal.open("a", encoding="utf-8", buffering=1) as lines:  # a line is written as soon as it is whole
            _unpack_all(file, left, partial, lambda name: lines.write(json.dumps(name) + "\n"), progress)
    partial.rename(folder)
    journal.unlink()


def lacking_members(archive: Path, folder: Path) -> list[str]:
    """Return the files of an archive that a folder lacks, or has in another size."""
    with opened(archive) as file:
        return [
            member.filename
            for member in file.infolist()
            if not is_folder(member) and size_of(inside(folder, member.filename, archive)) != member.file_size
        ]


def unpacked_size(archive: Path) -> int:
    """Return how many bytes on disk an archive unpacks to, by its own account."""
    with opened(archive) as file:
        return sum(on_disk(member.file_size) for member in file.infolist())


def partial_of(folder: Path) -> Path:
    """Return where a folder is while it is being unpacked."""
    return folder.with_name(folder.name + PARTIAL)


def journal_of(folder: Path) -> Path:
    """Return the journal of a folder that is being unpacked."""
    return folder.with_name(folder.name + JOURNAL)


def size_of(path: Path) -> int | None:
    """Return a regular file's size, or None where there is none."""
    try:
        facts = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return facts.st_size if stat.S_ISREG(facts.st_mode) else None


def _path(partial: Path, member: zipfile.ZipInfo) -> Path:
    return inside(partial, member.filename, partial)


def _identity(members: list[zipfile.ZipInfo]) -> str:
    """Return a digest of the archive's directory: another archive under the same name is told apart."""
    digest = hashlib.sha256()
    for member in members:
        digest.update(f"{member.filename}\0{member.CRC}\0{member.file_size}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _read_journal(journal: Path, identity: str) -> set[str]:
    """Return the members that are done, by the journal of the same archive; a last line cut short does not count."""
    try:
        first, *rest = journal.read_text(encoding="utf-8").split("\n")
    except (FileNotFoundError, UnicodeDecodeError):
        return set()
    if first != identity:
        return set()
    return {name for line in rest if (name := _name(line)) is not None}


def _name(line: str) -> str | None:
    try:
        return str(json.loads(line))
    except ValueError:  # empty, or cut short
        return None


def _unpack_all(
    file: zipfile.ZipFile,
    members: list[zipfile.ZipInfo],
    partial: Path,
    note: Callable[[str], object],
    progress: Progress,
) -> None:
    """Unpack members in a few threads; inflating and writing leave the interpreter to the others."""
    lock, stop = threading.Lock(), threading.Event()
    queue = iter(members)

    def work() -> None:
        while not stop.is_set():
            with lock:
                member = next(queue, None)
            if member is None:
                return
            path = _path(partial, member)
            path.unlink(missing_ok=True)  # begun by a call that was cut short
            write_member(file, member, path)
            with lock:
                note(member.filename)
            progress.advance(member.file_size, 1)

    with ThreadPoolExecutor(THREADS) as pool:
        futures = [pool.submit(work) for _ in range(THREADS)]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            stop.set()
    for future in futures:
        future.result()
