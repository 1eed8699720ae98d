"""Check the names and sizes of an archive's members before anything is unpacked.

Archives may be hostile. Code that reads one adds each member to an `Inventory` first, and unpacks nothing unless all
members pass.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mlebench.errors import ArchiveError

if TYPE_CHECKING:
    from pathlib import Path

GiB = 2**30
MAX_BYTES = 16 * 1024 * GiB
"""Maximum size of the content of an archive; the largest competitions have less than one TiB."""
ALLOWED_BYTES = 8 * GiB
MAX_RATIO = 500
"""The content of an archive may have so many bytes plus so many times the archive's size. The emptiest tables shrink to
a hundredth; bombs shrink to a thousandth and less."""
ALLOWED_MEMBERS = 100_000
MIN_BYTES_PER_MEMBER = 4
"""An archive may have so many members, plus one for each so many of its bytes: a distinct name and a checksum cannot
take less."""
MAX_PART, MAX_NAME = 255, 2000
"""Maximum bytes of a file name on Linux, and of a path, which leaves room for the folder in front of it."""


class Inventory:
    """The members of an archive, added one by one; each is checked against those before it.

    Parameters
    ----------
    archive
        The archive, whose size bounds the number and the size of its members.
    """

    def __init__(self, archive: Path) -> None:
        self.archive = archive
        size = archive.stat().st_size
        self.max_bytes = min(MAX_BYTES, ALLOWED_BYTES + MAX_RATIO * size)
        self.members_left = ALLOWED_MEMBERS + size // MIN_BYTES_PER_MEMBER
        self.bytes = 0
        self._files: set[str] = set()
        self._folders: set[str] = set()

    def add(self, name: str, size: int) -> str:
        """Add a file, and return its path below the folder to unpack to.

        Parameters
        ----------
        name
            The member's name.
        size
            Bytes of its content.

        Raises
        ------
        ArchiveError
            The name leaves the folder, cannot be a file's name, is repeated, or names a folder as well; or there are
            more members or bytes than an archive of this size may hold.
        """
        path = relative_path(name, self.archive)
        if path in self._files:
            raise ArchiveError(f"The archive {self.archive.name} holds {quote_name(path)} twice.")
        folder = path.rpartition("/")[0]
        while folder and folder not in self._folders:
            if folder in self._files:
                self._refuse_both(folder)
            self._folders.add(folder)
            folder = folder.rpartition("/")[0]
        if path in self._folders:
            self._refuse_both(path)
        self._files.add(path)
        self.count(size)
        return path

    def count(self, size: int) -> None:
        """Count a member that is not unpacked; ArchiveError if there are too many members or bytes."""
        self.bytes += size
        if size < 0 or self.bytes > self.max_bytes:
            raise ArchiveError(
                f"The archive {self.archive.name} claims to hold at least {max(size, self.bytes):,} bytes, but one of "
                f"its size can hold at most {self.max_bytes:,}; it is damaged or made to fill the disk."
            )
        self.members_left -= 1
        if self.members_left < 0:
            raise ArchiveError(
                f"The archive {self.archive.name} has more members than an archive of its size can have."
            )

    def _refuse_both(self, path: str) -> None:
        raise ArchiveError(f"The archive {self.archive.name} has {quote_name(path)} both as a file and as a folder.")


def relative_path(name: str, archive: Path) -> str:
    """Return a member's name as a relative path with `/`; ArchiveError if it cannot be one."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    absolute = name[:1] in ("/", "\\") or not parts or parts[0][1:2] == ":"
    if absolute or ".." in parts or "\0" in name:
        raise ArchiveError(f"The archive {archive.name} has a member that would leave its folder, {quote_name(name)}.")
    try:
        length = len(os.fsencode(name))
    except UnicodeEncodeError:
        raise ArchiveError(
            f"The archive {archive.name} has a member whose name is not text, {quote_name(name)}."
        ) from None
    if length > MAX_NAME or (length > MAX_PART and max(len(os.fsencode(part)) for part in parts) > MAX_PART):
        raise ArchiveError(f"The archive {archive.name} has a member whose name is too long, {quote_name(name)}.")
    return "/".join(parts)


def quote_name(name: str) -> str:
    """Return a member's name for a message: in quotation marks, printable, at most 80 characters."""
    return ascii(name if len(name) <= 80 else f"{name[:80]}...") if not name.isprintable() else repr(name[:80])


def describe_error(error: BaseException) -> str:
    """Return the text of an error for the middle of a sentence; it may quote names of any kind."""
    text = str(error).rstrip(".") or type(error).__name__
    return text if text.isprintable() and len(text) < 300 else f"{ascii(text[:200])[1:-1]}"
