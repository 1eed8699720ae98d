"""Unpack a competition's archive in a way that can be interrupted at any time and resumed.

raw.partial/          where members are unpacked, several at a time
raw.partial.journal   the digest of the archive's directory, then one finished member per line
raw/                  the same folder, renamed when all members are unpacked
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
from mlebench.data.space import require_space, size_on_disk
from mlebench.ground.files import write_atomically

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.data.progress import Progress

PARTIAL_SUFFIX = ".partial"
JOURNAL_SUFFIX = ".partial.journal"
THREADS = min(4, os.cpu_count() or 1)


def unpack(archive: Path, folder: Path, progress: Progress) -> None:
    """Unpack a zip into a folder that appears complete or not at all; an interrupted unpacking is resumed.

    A folder that another program unpacked is completed: files that have the right size are not unpacked again.

    Parameters
    ----------
    archive
        The zip file.
    folder
        Where its members are unpacked.
    progress
        Receives the step, with the uncompressed bytes.

    Raises
    ------
    ArchiveError
        The archive is damaged or unsafe.
    DiskFullError
        The members do not fit on the disk; raised before the first byte.
    """
    from mlebench.preparation.archives import checked_members, opened

    partial, journal = partial_folder(folder), journal_path(folder)
    with opened(archive) as file:
        members = [member for member, _ in checked_members(file, archive)]  # before anything is unpacked
        digest = directory_digest(members)
        done = _read_journal(journal, digest) if partial.is_dir() else set()
        if partial.is_dir() and not done:
            shutil.rmtree(partial)
        place = partial
        if not done and folder.is_dir():
            place = folder  # another program unpacked it
            done = {member.filename for member in members}
        done = {m.filename for m in members if m.filename in done and size_of(_path(place, m)) == m.file_size}
        remaining = [member for member in members if member.filename not in done]
        size = sum(size_on_disk(member.file_size) for member in remaining)
        progress.step(Step.UNPACK, sum(member.file_size for member in members))
        progress.advance(sum(m.file_size for m in members if m.filename in done), len(done))
        require_space(folder.parent, size, f"unpack {archive.name}")
        write_atomically(journal, "\n".join([digest, *map(json.dumps, sorted(done)), ""]))
        if place is folder:
            folder.rename(partial)
        partial.mkdir(exist_ok=True)
        with journal.open("a", encoding="utf-8", buffering=1) as lines:  # written after each line
            _unpack_members(file, remaining, partial, lambda name: lines.write(json.dumps(name) + "\n"), progress)
    partial.rename(folder)
    journal.unlink()


def lacking_members(archive: Path, folder: Path) -> list[str]:
    """Return the files of an archive that are missing in a folder or have another size."""
    from mlebench.preparation.archives import inside, is_folder, opened

    with opened(archive) as file:
        return [
            member.filename
            for member in file.infolist()
            if not is_folder(member) and size_of(inside(folder, member.filename, archive)) != member.file_size
        ]


def unpacked_size(archive: Path) -> int:
    """Return the bytes on disk that an archive's members take, according to its directory."""
    from mlebench.preparation.archives import opened

    with opened(archive) as file:
        return sum(size_on_disk(member.file_size) for member in file.infolist())


def partial_folder(folder: Path) -> Path:
    """Return the path of a folder while it is being unpacked."""
    return folder.with_name(folder.name + PARTIAL_SUFFIX)


def journal_path(folder: Path) -> Path:
    """Return the path of the journal of a folder that is being unpacked."""
    return folder.with_name(folder.name + JOURNAL_SUFFIX)


def remove_partial(folder: Path) -> None:
    """Remove what an interrupted unpacking left."""
    shutil.rmtree(partial_folder(folder), ignore_errors=True)
    journal_path(folder).unlink(missing_ok=True)


def size_of(path: Path) -> int | None:
    """Return the size of a regular file, or None if there is none."""
    try:
        status = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def directory_digest(members: list[zipfile.ZipInfo]) -> str:
    """Return a digest of an archive's directory, which identifies the archive in the journal."""
    digest = hashlib.sha256()
    for member in members:
        digest.update(f"{member.filename}\0{member.CRC}\0{member.file_size}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _path(partial: Path, member: zipfile.ZipInfo) -> Path:
    from mlebench.preparation.archives import inside

    return inside(partial, member.filename, partial)


def _read_journal(journal: Path, digest: str) -> set[str]:
    """Return the finished members by the journal of this archive; a truncated last line does not count."""
    try:
        first, *rest = journal.read_text(encoding="utf-8").split("\n")
    except (FileNotFoundError, UnicodeDecodeError):
        return set()
    if first != digest:
        return set()
    return {name for line in rest if (name := _parse_name(line)) is not None}


def _parse_name(line: str) -> str | None:
    try:
        return str(json.loads(line))
    except ValueError:  # empty or truncated
        return None


def _unpack_members(
    file: zipfile.ZipFile,
    members: list[zipfile.ZipInfo],
    partial: Path,
    on_finished: Callable[[str], object],
    progress: Progress,
) -> None:
    """Unpack members in several threads, in random order; decompressing and writing release the interpreter's lock."""
    from mlebench.ground.neutral import shuffled
    from mlebench.preparation.archives import write_member

    lock, stop = threading.Lock(), threading.Event()
    queue = iter(shuffled(members))  # the order of inodes must not tell the order in the archive

    def work() -> None:
        while not stop.is_set():
            with lock:
                member = next(queue, None)
            if member is None:
                return
            path = _path(partial, member)
            path.unlink(missing_ok=True)  # an interrupted call may have begun it
            write_member(file, member, path, partial)
            with lock:
                on_finished(member.filename)
            progress.advance(member.file_size, 1)

    with ThreadPoolExecutor(THREADS) as pool:
        futures = [pool.submit(work) for _ in range(THREADS)]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            stop.set()
    for future in futures:
        future.result()
