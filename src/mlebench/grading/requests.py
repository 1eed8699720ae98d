"""What the harness and a grading worker say to each other, as lines of JSON.

The harness sends a request. The worker sends an empty line when it begins, and later its answer. Then comes the next
request.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any, Literal, Self

GiB = 1024**3


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one request may use of this machine."""

    memory: int
    """Bytes of address space, in addition to those of a worker without work, of which pyarrow reserves 1 GiB."""
    seconds: float
    """Wall time."""
    cpu_seconds: int | None = None
    """Processor time of all threads together."""

    @classmethod
    def of_check(cls, sample_bytes: int) -> Bounds:
        """Return the bounds of a check of a task whose sample submission has this size.

        Checks of real sample submissions take at most 20 times their size, and 0.1 seconds for each of their MiB.
        """
        cpu_seconds = 60 + sample_bytes // 1024**2
        # Wall time only ends a check that waits for something: it must not end one on a machine that is busy.
        return cls(min(2 * GiB + 24 * sample_bytes, GRADING.memory), 10 * cpu_seconds, cpu_seconds)


GRADING = Bounds(memory=16 * GiB, seconds=3600)
"""The bounds of grading one submission."""


@dataclass(frozen=True, slots=True)
class Request:
    """One submission to grade or to check."""

    kind: Literal["judge", "check"]
    path: str
    """The submission."""
    competition: str
    """The label of the competition, such as `leaf-classification@v2`."""
    data_dir: str
    folders: tuple[str, ...]
    """The folders of the registry's own competitions."""
    bounds: Bounds
    data_version: str | None = None
    """The version whose data it is graded on, if that is not the competition's own."""

    def encode(self) -> bytes:
        """Return the request as a line."""
        return json.dumps(dataclasses.asdict(self)).encode() + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> Self:
        """Return the request of a line."""
        fields: dict[str, Any] = json.loads(line)
        return cls(**{**fields, "folders": tuple(fields["folders"]), "bounds": Bounds(**fields["bounds"])})


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request: one of the first five fields is set."""

    verdict: str | None = None
    """The verdict as JSON."""
    message: str | None = None
    """The message of a check."""
    error: str | None = None
    """Why the submission could not be judged or checked, where that is no fault of the submission."""
    failure: tuple[int, str, str | None] | None = None
    """Error number, text and path of a failure of this machine, such as a disk with defects."""
    exceeded: bool = False
    """Whether the request needed more than its bounds."""
    cpu_seconds: float = 0.0
    """Processor time of the request."""
    memory: int = 0
    """Bytes of memory that the worker keeps."""

    def encode(self) -> bytes:
        """Return the answer as a line."""
        return json.dumps(dataclasses.asdict(self)).encode() + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> Self:
        """Return the answer of a line."""
        return cls(**json.loads(line))
