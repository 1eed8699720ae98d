"""The log of calls, `model_calls.jsonl`: one JSON line for each call, with bounded bodies and without keys."""

from __future__ import annotations

import sys
import threading
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from mlebench.gateway.models.bodies import Content
from mlebench.gateway.models.token_counts import Basis

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Outcome = Literal["answered", "refused", "failed", "cut", "hung_up"]
"""`answered`: the upstream responded, perhaps with an error; `refused`: the gateway refused the request; `failed`: no
upstream responded; `cut`: the response broke off; `hung_up`: the client disconnected before the end."""

MAX_FREE_CALLS = 10_000
"""Logged calls of a run that used no tokens (refused requests, errors, token counts). Later ones are only counted, so
that a run cannot fill the disk for free."""
MAX_FREE_CALLS_WITH_BODIES = 100
"""The first free calls are logged with their bodies, later ones with `FREE_CALL_BODY_BYTES` of each."""
FREE_CALL_BODY_BYTES = 4096


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CallUsage(_Model):
    """Tokens of a call."""

    input: int
    cached_input: int
    cache_write: int
    output: int
    reasoning: int
    estimated: bool
    """Whether they are what was reserved, at least in part, because the upstream did not report them."""
    basis: Basis | None = None
    """How they are known; None in logs of earlier versions."""
    reserved_attempts: int = 0
    """Attempts at the upstream whose tokens are not known; each counts as what was reserved for it."""


class CallRecord(_Model):
    """One line of the log."""

    format_version: Literal[1] = 1
    number: int
    """Position among the logged calls of the run, from 0, in the order in which they ended."""
    time: datetime
    """When the request arrived, UTC."""
    path: str
    model: str | None
    """The name that the agent requested; None if the request was refused before it was read."""
    upstream: str | None
    upstream_model: str | None
    stream: bool
    source: Literal["gateway", "live", "recording"]
    outcome: Outcome
    status: int
    """HTTP status that the agent received."""
    detail: str = ""
    """What went wrong, if something did."""
    seconds: float
    """From the request to the last byte of the response."""
    first_byte_seconds: float | None
    retries: int
    usage: CallUsage | None
    cost: float | None
    """US dollars; None if the model has no price."""
    key: str | None
    """The key of the request in recordings."""
    request: Content
    response: Content


class CallLog:
    """Appends the records of one run to a file, or only counts them if the path is None. Thread-safe."""

    def __init__(self, path: Path | None) -> None:
        self._file = path.open("a", encoding="utf-8") if path else None
        self._lock = threading.Lock()
        self._number = 0
        self._free_calls = 0

    def close(self) -> None:
        """Close the file; later records are only counted."""
        with self._lock:
            if self._file is not None:
                self._file.close()

    def count_free_call(self) -> int | None:
        """Count a call that used no tokens; return the bytes of each body to log, or None to log nothing."""
        with self._lock:
            self._free_calls += 1
            if self._free_calls > MAX_FREE_CALLS:
                return None
            return sys.maxsize if self._free_calls <= MAX_FREE_CALLS_WITH_BODIES else FREE_CALL_BODY_BYTES

    def append(self, make_record: Callable[[int], CallRecord]) -> int:
        """Append the record that `make_record` returns for the next number; return this number."""
        with self._lock:
            number, self._number = self._number, self._number + 1
            if self._file is not None and not self._file.closed:
                self._file.write(make_record(number).model_dump_json() + "\n")
                self._file.flush()
        return number
