"""Recordings: what upstreams answered, kept so that the same requests get the same answers again.

A recording is a file of JSON lines, each a `RecordedAnswer`. The n-th equal request of a run gets the n-th answer
recorded for it. Where a run was recorded more than once (an earlier attempt was cut), the last one counts.
"""

from __future__ import annotations

import base64
import os
import threading
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from mlebench.errors import UsageError
from mlebench.gateway.models.answers import Answer, CutError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

Mode = Literal["live", "record", "replay", "continue"]
"""`live` asks the upstreams; `record` also writes a recording; `replay` answers from it and asks nobody;
`continue` answers from it as far as it goes, and from there on asks the upstreams and records."""


class RecordedAnswer(BaseModel):
    """One line of a recording."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format_version: Literal[1] = 1
    run: str
    key: str
    """SHA-256 of path and body of the request, without volatile fields, as it went upstream."""
    ordinal: int
    """How many equal requests of the run were answered before, from 0."""
    path: str
    model: str
    status: int
    headers: dict[str, str]
    stream: bool
    cut: bool
    """Whether the stream broke off after its last chunk."""
    chunks: tuple[str, ...]
    """As they came: text, or in a recording with `base64` that."""
    base64: bool = False

    @classmethod
    def of(cls, chunks: list[bytes], **facts: object) -> Self:
        """Make a line of chunks as bytes; those that do not hold whole characters go into base64."""
        try:
            return cls(chunks=tuple(chunk.decode() for chunk in chunks), **facts)  # type: ignore[arg-type]
        except UnicodeDecodeError:
            encoded = tuple(base64.b64encode(chunk).decode() for chunk in chunks)
            return cls(chunks=encoded, base64=True, **facts)  # type: ignore[arg-type]

    def answer(self) -> Answer:
        """Return the answer, to be told once more."""
        return Answer(self.status, dict(self.headers), self._chunks(), self.stream, source="recording")

    async def _chunks(self) -> AsyncIterator[bytes]:
        for chunk in self.chunks:
            yield base64.b64decode(chunk) if self.base64 else chunk.encode()
        if self.cut:
            raise CutError("The recorded stream broke off here")


class Recording:
    """A recording's file, for one gateway. May be used from several threads; holds places in the file only."""

    def __init__(self, path: Path, mode: Mode) -> None:
        self.path = path
        self.mode = mode
        self._lock = threading.Lock()
        self._places: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
        if mode == "replay" and not path.is_file():
            raise UsageError(f"There is no recording {path} to replay; make one with the mode 'record'.")
        if mode in ("replay", "continue") and path.is_file():
            self._read()
        self._file = path.open("rb" if mode == "replay" else "a+b")
        if mode != "replay":
            self._drop_unfinished_line()

    def close(self) -> None:
        with self._lock:
            self._file.close()

    def open_run(self, run: str) -> RecordedRun:
        """Return the recording of one run, to be gone through from its beginning."""
        return RecordedRun(self, run)

    def find(self, run: str, key: str, ordinal: int) -> RecordedAnswer | None:
        with self._lock:
            place = self._places.get((run, key), {}).get(ordinal)
            if place is None:
                return None
            self._file.seek(place)
            return RecordedAnswer.model_validate_json(self._file.readline())

    def append(self, line: RecordedAnswer) -> None:
        with self._lock:
            if self._file.closed:
                return
            self._file.write(line.model_dump_json().encode() + b"\n")
            self._file.flush()

    def _read(self) -> None:
        place = 0
        with self.path.open("rb") as file:
            for number, data in enumerate(file, 1):
                if not data.endswith(b"\n"):  # cut by a crash
                    break
                try:
                    line = RecordedAnswer.model_validate_json(data)
                except ValidationError as error:
                    first = error.errors()[0]["msg"]
                    raise UsageError(f"Line {number} of the recording {self.path} is not readable: {first}.") from None
                # A failure is repeated by a replay; a run that is continued tries again.
                if self.mode == "replay" or (line.status < 400 and not line.cut):
                    self._places[line.run, line.key][line.ordinal] = place
                place += len(data)

    def _drop_unfinished_line(self) -> None:
        size = place = self._file.seek(0, os.SEEK_END)
        while place:
            start = max(0, place - 65536)
            self._file.seek(start)
            found = self._file.read(place - start).rfind(b"\n")
            place = start + found + 1
            if found >= 0:
                break
            place = start
        if place != size:
            self._file.truncate(place)


class RecordedRun:
    """One run's way through a recording."""

    def __init__(self, recording: Recording, run: str) -> None:
        self._recording = recording
        self._run = run
        self._replayed: Counter[str] = Counter()
        self._answered: Counter[str] = Counter()

    def next(self, key: str) -> RecordedAnswer | None:
        """Return the recorded answer to the next request of that key, or None if there is none."""
        found = self._recording.find(self._run, key, self._replayed[key])
        if found is not None:
            self._replayed[key] += 1
            self._answered[key] += 1
        return found

    def append(self, chunks: list[bytes], *, key: str, **facts: object) -> None:
        """Record an answer to the next request of that key."""
        ordinal = self._answered[key]
        self._answered[key] += 1
        self._recording.append(RecordedAnswer.of(chunks, run=self._run, key=key, ordinal=ordinal, **facts))
