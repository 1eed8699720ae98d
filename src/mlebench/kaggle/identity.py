"""Which remote file bytes belong to, so that those of one are never added to those of another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from mlebench.ground.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Identity(BaseModel):
    """What a server tells of a file; beside a part it stands in `.part.json`."""

    model_config = ConfigDict(frozen=True)

    size: int | None = None
    etag: str | None = None
    modified: str | None = None
    """Last-Modified, word for word."""
    md5: str | None = None
    """In base 64, as Google's storage gives it."""

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> Identity:
        """Read the headers of an answer that holds the whole file."""
        length = headers.get("Content-Length", "")
        hashes = re.search(r"\bmd5=([A-Za-z0-9+/]+=*)", headers.get("x-goog-hash", ""))
        return cls(
            size=int(length) if length.isdigit() else None,
            etag=headers.get("ETag"),
            modified=headers.get("Last-Modified"),
            md5=hashes.group(1) if hashes else headers.get("Content-MD5"),
        )

    def is_that_of(self, other: Identity) -> bool:
        """Say whether both are surely the same file: an unchanged ETag, or else an unchanged date, and size."""
        if self.size != other.size or (self.md5 and other.md5 and self.md5 != other.md5):
            return False
        if self.etag or other.etag:
            return self.etag == other.etag
        return self.modified is not None and self.modified == other.modified

    @property
    def condition(self) -> dict[str, str]:
        """The header that asks for a part only if the file is still this one."""
        if self.etag and not self.etag.startswith("W/"):
            return {"If-Range": self.etag}
        return {"If-Range": self.modified} if self.modified else {}


def read_identity(path: Path) -> Identity | None:
    """Return what stands beside a part, or None."""
    try:
        return Identity.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def write_identity(path: Path, identity: Identity) -> None:
    write_atomically(path, identity.model_dump_json() + "\n")
