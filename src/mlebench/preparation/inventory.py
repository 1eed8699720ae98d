"""What an archive says it holds, looked at before a byte of it is believed.

Archives of all kinds are taken for hostile: whoever reads one gives each member's name and size to an `Inventory`
first, and unpacks nothing unless all of them pass.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mlebench.errors import ArchiveError

if TYPE_CHECKING:
    from pathlib import Path

GiB = 2**30
MOST_BYTES = 16 * 1024 * GiB
"""What an archive may unpack to at all; the largest competitions have under one TiB."""
BYTES_FREE = 8 * GiB
MOST_TIMES = 500
"""An archive may unpack to so many bytes and so many times its own size: the emptiest tables shrink to a hundredth,
bombs to a thousandth and less."""
MEMBERS_FREE = 100_000
LEAST_BYTES_OF_A_MEMBER = 4
"""An archive may have so many members, and one more for so many of its bytes: a name that is told from others and a
checksum cannot take less."""
LONGEST_PART, LONGEST_NAME = 255, 2000
"""Bytes that Linux takes for a file's name, and that leave room for the folder in front of it."""


class Inventory:
    """The members of an archive that are wanted, one by one; each must fit with those before it."""

    def __init__(self, archive: Path) -> None:
        self.archive = archive
        size = archive.stat().st_size
        self.most_bytes = min(MOST_BYTES, BYTES_FREE + MOST_TIMES * size)
        self.most_members = MEMBERS_FREE + size // LEAST_BYTES_OF_A_MEMBER
        self.bytes = 0
        self._files: set[str] = set()
        self._folders: set[str] = set()

    def add(self, name: str, size: int) -> str:
        """Return the path of a file below the folder that it is to be unpacked to; sizes in bytes.

        Raises ArchiveError for a name that would leave the folder, that no file can bear, that came before, or that is
        a file's and a folder's at once, and when there are more members or bytes than an archive of this size may hold.
        """
        path = relative_path(name, self.archive)
        if path in self._files:
            raise ArchiveError(f"The archive {self.archive.name} holds {shown(path)} twice.")
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
        """Count a member that is only read past; ArchiveError as `add` raises it for too many or too large ones."""
        self.bytes += size
        if size < 0 or self.bytes > self.most_bytes:
            raise ArchiveError(
                f"The archive {self.archive.name} says that it unpacks to {max(size, self.bytes):,} bytes and more; "
                f"one of its size should hold at most {self.most_bytes:,}, so it is damaged or made to fill the disk."
            )
        self.most_members -= 1
        if self.most_members < 0:
            raise ArchiveError(f"The archive {self.archive.name} has more members than one of its size should.")

    def _refuse_both(self, path: str) -> None:
        raise ArchiveError(f"The archive {self.archive.name} has {shown(path)} as a file and as a folder.")


def relative_path(name: str, archive: Path) -> str:
    """Return a member's name as a path below a folder, with `/` between the parts; ArchiveError if it is none."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    absolute = name[:1] in ("/", "\\") or not parts or parts[0][1:2] == ":"
    if absolute or ".." in parts or "\0" in name:
        raise ArchiveError(f"The archive {archive.name} has a member that would leave its folder, {shown(name)}.")
    try:
        length = len(os.fsencode(name))
    except UnicodeEncodeError:
        raise ArchiveError(f"The archive {archive.name} has a member whose name is no text, {shown(name)}.") from None
    if length > LONGEST_NAME or (
        length > LONGEST_PART and max(len(os.fsencode(part)) for part in parts) > LONGEST_PART
    ):
        raise ArchiveError(f"The archive {archive.name} has a member with too long a name, {shown(name)}.")
    return "/".join(parts)


def shown(name: str) -> str:
    """Return a member's name for a message: in quotation marks, printable, and not endless."""
    return ascii(name if len(name) <= 80 else f"{name[:80]}...") if not name.isprintable() else repr(name[:80])


def one_line(error: BaseException) -> str:
    """Return an error's text as the middle of a sentence; names in it may hold anything."""
    text = str(error).rstrip(".") or type(error).__name__
    return text if text.isprintable() and len(text) < 300 else f"{ascii(text[:200])[1:-1]}"
