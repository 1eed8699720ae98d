"""Recordings: responses of upstreams, stored so that the same requests get the same responses again.

A recording is a file of JSON lines, each a `RecordedResponse`. The n-th equal request of a run gets the n-th response
that was recorded for it. If a run was recorded more than once (an earlier attempt was interrupted), the last counts.
"""

from __future__ import annotations

import base64
import os
import threading
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from mlebench.errors import UsageError
from mlebench.gateway.models.errors import BrokenStreamError
from mlebench.gateway.models.responses import Response

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from mlebench.gateway.models.requests import UpstreamRequest

Mode = Literal["live", "record", "replay", "continue"]
"""`live`: responses come from the upstreams; `record`: they are recorded too; `replay`: they come from the recording
only; `continue`: they come from the recording as long as it has any, then from the upstreams, and are recorded."""


class RecordedResponse(BaseModel):
    """One line of a recording."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format_version: Literal[1] = 1
    run: str
    key: str
    """SHA-256 of the path and the body of the upstream request, without volatile fields."""
    ordinal: int
    """Position among the responses to equal requests of the run, from 0."""
    path: str
    model: str
    status: int
    headers: dict[str, str]
    stream: bool
    cut: bool
    """Whether the stream broke off after the last chunk."""
    chunks: tuple[str, ...]
    """The chunks as they arrived: as text, or in base64 if `base64` is set."""
    base64: bool = False

    def response(self) -> Response:
        """Return the response to send again."""
        return Response(self.status, dict(self.headers), self._iterate_chunks(), self.stream, source="recording")

    async def _iterate_chunks(self) -> AsyncIterator[bytes]:
        for chunk in self.chunks:
            yield base64.b64decode(chunk) if self.base64 else chunk.encode()
        if self.cut:
            raise BrokenStreamError("The recorded stream broke off here")


class Recording:
    """The file of a recording. Keeps only the offsets of its lines in memory. Thread-safe.

    Parameters
    ----------
    path : Path
        The file; a new one is created unless the mode is `replay`.
    mode : Mode
        Any mode but `live`.

    Raises
    ------
    UsageError
        If there is nothing to replay, or the file is not a recording.
    """

    def __init__(self, path: Path, mode: Mode) -> None:
        self.path = path
        self.mode = mode
        self._lock = threading.Lock()
        self._offsets: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
        if mode == "replay" and not path.is_file():
            raise UsageError(f"There is no recording {path} to replay. Make one with the mode 'record'.")
        if mode in ("replay", "continue") and path.is_file():
            self._read_offsets()
        self._file = path.open("rb" if mode == "replay" else "a+b")
        if mode != "replay":
            self._truncate_unfinished_line()

    def close(self) -> None:
        """Close the file; later responses are not recorded."""
        with self._lock:
            self._file.close()

    def open_run(self, run: str) -> RunRecording:
        """Return the recording of one run, from its beginning."""
        return RunRecording(self, run)

    def find(self, run: str, key: str, ordinal: int) -> RecordedResponse | None:
        """Return the response with this ordinal to a request, or None if there is none."""
        with self._lock:
            offset = self._offsets.get((run, key), {}).get(ordinal)
            if offset is None:
                return None
            self._file.seek(offset)
            return RecordedResponse.model_validate_json(self._file.readline())

    def append(self, response: RecordedResponse) -> None:
        """Append a line to the file."""
        with self._lock:
            if self._file.closed:
                return
            self._file.write(response.model_dump_json().encode() + b"\n")
            self._file.flush()

    def _read_offsets(self) -> None:
        offset = 0
        with self.path.open("rb") as file:
            for number, data in enumerate(file, 1):
                if not data.endswith(b"\n"):  # cut by a crash
                    break
                try:
                    line = RecordedResponse.model_validate_json(data)
                except ValidationError as error:
                    problem = error.errors()[0]["msg"]
                    raise UsageError(f"Line {number} of the recording {self.path} is invalid: {problem}.") from None
                # A replay repeats failures; a run that is continued tries again.
                if self.mode == "replay" or (line.status < 400 and not line.cut):
                    self._offsets[line.run, line.key][line.ordinal] = offset
                offset += len(data)

    def _truncate_unfinished_line(self) -> None:
        size = offset = self._file.seek(0, os.SEEK_END)
        while offset:
            start = max(0, offset - 65536)
            self._file.seek(start)
            newline = self._file.read(offset - start).rfind(b"\n")
            offset = start + newline + 1
            if newline >= 0:
                break
            offset = start
        if offset != size:
            self._file.truncate(offset)


class RunRecording:
    """The responses to one run, in the order of its requests."""

    def __init__(self, recording: Recording, run: str) -> None:
        self._recording = recording
        self._run = run
        self._replayed: Counter[str] = Counter()
        self._answered: Counter[str] = Counter()

    def next_response(self, key: str) -> RecordedResponse | None:
        """Return the recorded response to the next request with this key, or None if there is none."""
        recorded = self._recording.find(self._run, key, self._replayed[key])
        if recorded is not None:
            self._replayed[key] += 1
            self._answered[key] += 1
        return recorded

    def append(
        self, chunks: list[bytes], response: Response, *, request: UpstreamRequest, path: str, cut: bool
    ) -> None:
        """Record the response to the next request with the key of `request`.

        Parameters
        ----------
        chunks : list of bytes
            The chunks that arrived.
        response : Response
            Their response; its own chunks are not read.
        request : UpstreamRequest
            The request that the response answers.
        path : str
            The path that the agent requested.
        cut : bool
            Whether the response broke off after the last chunk.
        """
        ordinal = self._answered[request.key]
        self._answered[request.key] += 1
        texts = _encode(chunks)
        line = RecordedResponse(
            run=self._run,
            key=request.key,
            ordinal=ordinal,
            path=path,
            model=request.model,
            status=response.status,
            headers=response.headers,
            stream=response.stream,
            cut=cut,
            chunks=texts.chunks,
            base64=texts.base64,
        )
        self._recording.append(line)


class _Texts(NamedTuple):
    chunks: tuple[str, ...]
    base64: bool


def _encode(chunks: list[bytes]) -> _Texts:
    """Return chunks as text, or in base64 if one of them cuts a character."""
    try:
        return _Texts(tuple(chunk.decode() for chunk in chunks), base64=False)
    except UnicodeDecodeError:
        return _Texts(tuple(base64.b64encode(chunk).decode() for chunk in chunks), base64=True)
