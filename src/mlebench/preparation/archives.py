"""Archives of raw data: unpacked only into their own folder, and found damaged before anything is made of them."""

from __future__ import annotations

import io
import shutil
import stat
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mlebench.errors import ArchiveError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeDecodeError)


def extract(
    archive: Path, target: Path, want: Callable[[str], str | None] | None = None, expect: int | None = None
) -> int:
    """Unpack a zip archive below `target`; returns how many files there were.

    `want` is called with each member's name and returns the path below `target` to unpack it to, or None to
    leave it out. Raises ArchiveError for a damaged archive, for members that are links or that would leave the
    folder, and unless there are as many files as one expects; then some may have been unpacked already.
    """
    count = 0
    with opened(archive) as file:
        for member in file.infolist():
            if member.is_dir():
                continue
            name = member.filename if want is None else want(member.filename)
            if name is None:
                continue
            path = inside(target, name, archive)
            if stat.S_ISLNK(member.external_attr >> 16):
                raise ArchiveError(f"The archive {archive.name} holds a link, {member.filename!r}.")
            path.parent.mkdir(parents=True, exist_ok=True)
            with file.open(member) as source, path.open("xb") as copy:
                shutil.copyfileobj(source, copy, 1024 * 1024)
            count += 1
    check_count(archive, count, expect)
    return count


def check_count(archive: Path, count: int, expect: int | None) -> None:
    """Raise ArchiveError if an archive holds another number of wanted files than one expects."""
    if expect is not None and count != expect:
        raise ArchiveError(f"The archive {archive.name} holds {count} of the {expect} files that the tables name.")


def member_names(archive: Path) -> list[str]:
    """Return the names of a zip archive's files, in its own order."""
    with opened(archive) as file:
        return [member.filename for member in file.infolist() if not member.is_dir()]


def read_member(archive: Path, name: str) -> io.BytesIO:
    """Return the content of one member of a zip archive, ready to be read as a file."""
    with opened(archive) as file:
        try:
            return io.BytesIO(file.read(name))
        except KeyError:
            raise ArchiveError(f"The archive {archive.name} has no member {name!r}.") from None


@contextmanager
def opened(archive: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip archive; whatever is wrong with it becomes an ArchiveError."""
    try:
        with zipfile.ZipFile(archive) as file:
            yield file
    except FileNotFoundError:
        raise ArchiveError(f"The raw data lack the archive {archive.name}.") from None
    except FileExistsError as error:
        raise ArchiveError(f"The archive {archive.name} holds {Path(str(error.filename)).name!r} twice.") from None
    except DAMAGE as error:
        raise ArchiveError(f"The archive {archive.name} is damaged: {error}.") from error


def inside(target: Path, name: str, archive: Path) -> Path:
    """Return the path below `target` for a member's name; ArchiveError if it would lie elsewhere."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or parts[0] == "/" or ".." in parts or "\0" in name or ":" in parts[0]:
        raise ArchiveError(f"The archive {archive.name} has a member that would leave its folder, {name!r}.")
    return target.joinpath(*parts)
