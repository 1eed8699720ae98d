"""The identity of a file on a server, so that bytes of two different files are never mixed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from mlebench.ground.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class RemoteFile(BaseModel):
    """What the response headers say about a file; stored as `.part.json` beside a partial download."""

    model_config = ConfigDict(frozen=True)

    size: int | None = None
    """In bytes."""
    etag: str | None = None
    modified: str | None = None
    """The Last-Modified header, verbatim."""
    md5: str | None = None
    """In base 64, as Google Cloud Storage sends it."""

    @classmethod
    def from_headers(cls, headers: Mapping[str, str]) -> RemoteFile:
        """Read the headers of a response that holds the whole file."""
        hashes = re.search(r"\bmd5=([A-Za-z0-9+/]+=*)", headers.get("x-goog-hash", ""))
        return cls(
            size=length_of(headers),
            etag=headers.get("ETag"),
            modified=headers.get("Last-Modified"),
            md5=hashes.group(1) if hashes else headers.get("Content-MD5"),
        )

    @classmethod
    def read(cls, path: Path) -> RemoteFile | None:
        """Read a `.part.json`; return None if it is missing or malformed."""
        try:
            return cls.model_validate_json(path.read_bytes())
        except (OSError, ValidationError):
            return None

    def write(self, path: Path) -> None:
        """Write a `.part.json`."""
        write_atomically(path, self.model_dump_json() + "\n")

    def is_same_as(self, other: RemoteFile) -> bool:
        """Whether both are certainly the same file: equal size, and an equal ETag or else an equal date."""
        if self.size != other.size or (self.md5 and other.md5 and self.md5 != other.md5):
            return False
        if self.etag or other.etag:
            return self.etag == other.etag
        return self.modified is not None and self.modified == other.modified

    @property
    def if_range(self) -> dict[str, str]:
        """The If-Range header, with which a server sends a range only of this very file.

        References
        ----------
        RFC 9110, section 13.1.5: a weak ETag must not be used.
        """
        if self.etag and not self.etag.startswith("W/"):
            return {"If-Range": self.etag}
        return {"If-Range": self.modified} if self.modified else {}


def length_of(headers: Mapping[str, str]) -> int | None:
    """Return the Content-Length, or None if it is missing or malformed."""
    length = headers.get("Content-Length", "")
    return int(length) if re.fullmatch("[0-9]{1,18}", length) else None
