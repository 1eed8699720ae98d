"""Bodies of requests and responses, as the log of calls keeps them: length, digest and a bounded beginning."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class Content(BaseModel):
    """A logged body."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    bytes: int
    """Length of the whole body."""
    sha256: str
    """Digest of the whole body."""
    body: Any = None
    """The body, if it is JSON and was kept whole."""
    text: str | None = None
    """The beginning of the body otherwise, such as the events of a stream."""
    truncated: bool = False


class BodyCapture:
    """Collects the pieces of a body: its length, its digest, and its first `max_bytes` bytes."""

    def __init__(self, max_bytes: int) -> None:
        self.size = 0
        self._max_bytes = max_bytes
        self._kept = bytearray()
        self._hash = hashlib.sha256()

    def add(self, data: bytes) -> Self:
        """Add a piece of the body."""
        self.size += len(data)
        self._hash.update(data)
        self._kept += data[: max(0, self._max_bytes - len(self._kept))]
        return self

    @property
    def digest(self) -> str:
        """SHA-256 of the body so far, in hexadecimal."""
        return self._hash.hexdigest()

    def truncate(self, max_bytes: int) -> None:
        """Keep at most this many bytes."""
        del self._kept[max_bytes:]

    def content(self) -> Content:
        """Return the body as it is logged."""
        truncated = self.size > len(self._kept)
        if not truncated:
            with suppress(ValueError, RecursionError):
                document = json.loads(self._kept, parse_constant=_refuse_constant)
                # Refuses what JSON text can express and a log line cannot: lone surrogates and 1e999.
                json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
                return Content(bytes=self.size, sha256=self.digest, body=document)
        text = self._kept.decode("utf-8", "replace")
        return Content(bytes=self.size, sha256=self.digest, text=text, truncated=truncated)


def _refuse_constant(name: str) -> float:
    raise ValueError(name)
