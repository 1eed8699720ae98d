"""The log of calls: `model_calls.jsonl`, a JSON line for each, whole bodies within bounds, never a key."""

from __future__ import annotations

import hashlib
import json
import sys
import threading
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from pathlib import Path

Outcome = Literal["answered", "refused", "failed", "cut", "hung_up"]
"""`answered` by the upstream, be it with an error; `refused` by the gateway; `failed`: no upstream could be
asked; `cut`: the stream broke off; `hung_up`: the agent did not wait for the end."""

MOST_FREE = 10_000
"""Calls of a run that took no tokens (refused, errors, counts) that are logged; more are only counted."""
FREE_WHOLE = 100
"""Of these, the first are logged with their bodies, later ones with `FREE_BYTES` of them: asking for nothing must
not fill the harness's disk."""
FREE_BYTES = 4096


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Content(_Model):
    """A body: how long it was, its digest, and as much of it as is kept."""

    bytes: int
    sha256: str
    body: Any = None
    """The body where it is JSON and was kept whole."""
    text: str | None = None
    """Its beginning, where it is something else, such as the events of a stream, or too long."""
    truncated: bool = False


class CallUsage(_Model):
    """Tokens of a call."""

    input: int
    cached_input: int
    cache_write: int
    output: int
    reasoning: int
    estimated: bool
    """True where the upstream did not tell; bytes of text by four, then."""


class CallRecord(_Model):
    """One line of the log."""

    format_version: Literal[1] = 1
    number: int
    """Counts the requests of the run that are logged, from 0, in the order in which they ended."""
    time: datetime
    """When the request was there, UTC."""
    path: str
    model: str | None
    """As agents call it; None where the request was refused before that was clear."""
    upstream: str | None
    upstream_model: str | None
    stream: bool
    source: Literal["gateway", "live", "recording"]
    outcome: Outcome
    status: int
    """What the agent got."""
    detail: str = ""
    """What went wrong, where something did."""
    seconds: float
    """From the request to the last byte of the answer."""
    first_byte_seconds: float | None
    retries: int
    usage: CallUsage | None
    cost: float | None
    """US dollars; None where the model has no price."""
    key: str | None
    """Of the request in a recording."""
    request: Content
    response: Content


class BodyKeeper:
    """Takes the pieces of a body and keeps its beginning, its length and its digest."""

    def __init__(self, bound: int) -> None:
        self.size = 0
        self._bound = bound
        self._kept = bytearray()
        self._hash = hashlib.sha256()

    def add(self, data: bytes) -> Self:
        self.size += len(data)
        self._hash.update(data)
        self._kept += data[: max(0, self._bound - len(self._kept))]
        return self

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()

    def shorten(self, bound: int) -> None:
        """Keep no more than that many bytes."""
        del self._kept[bound:]

    def content(self) -> Content:
        """Return what is known of the body."""
        facts: dict[str, Any] = {"bytes": self.size, "sha256": self.digest, "truncated": self.size > len(self._kept)}
        if not facts["truncated"]:
            with suppress(ValueError, RecursionError):
                document = json.loads(self._kept, parse_constant=_no_constant)
                json.dumps(document, ensure_ascii=False, allow_nan=False).encode()  # half characters, 1e999
                return Content(body=document, **facts)
        return Content(text=self._kept.decode("utf-8", "replace"), **facts)


class CallLog:
    """Appends the records of one run to a file. May be used from several threads."""

    def __init__(self, path: Path | None) -> None:
        self._file = path.open("a", encoding="utf-8") if path else None
        self._lock = threading.Lock()
        self._number = 0
        self._free = 0

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                self._file.close()

    def room_for_free(self) -> int | None:
        """Count a call that took no tokens; return the bytes of its bodies to log, or None to log nothing."""
        with self._lock:
            self._free += 1
            if self._free > MOST_FREE:
                return None
            return sys.maxsize if self._free <= FREE_WHOLE else FREE_BYTES

    def write(self, **facts: Any) -> int:
        """Append a record made of these facts; return its number."""
        with self._lock:
            number, self._number = self._number, self._number + 1
            if self._file is not None and not self._file.closed:
                self._file.write(CallRecord(number=number, **facts).model_dump_json() + "\n")
                self._file.flush()
        return number


def _no_constant(name: str) -> float:
    raise ValueError(name)
