"""What a run left in its folder, as much of it as a page shows: story, log, code, submission.

Agents wrote most of it, so that nothing is followed, nothing is waited for, and everything is bounded.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.analysis.wording import printable
from mlebench.errors import RunError
from mlebench.ground.wording import format_binary_size
from mlebench.runs.events import read_events
from mlebench.runs.story import FLAGGED, tell

if TYPE_CHECKING:
    from collections.abc import Iterator

EVENTS = 150
"""Events that are told: the first third of them, and the last ones."""
LOG_BYTES = 16 * 1024
HEAD_BYTES = 4 * 1024
TOLD_BYTES = 8 * 1024
FILE_BYTES = 12 * 1024
CODE_BYTES = 48 * 1024
FILES = 100
"""Files of code that are named."""
LINE = 400
"""Characters of a line."""
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Told:
    """One event of the story."""

    seconds: float | None
    """Since the first one; None for a gap."""
    sentence: str
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A file, or a part of it."""

    name: str
    size: int
    text: str | None
    """Fit to be shown; None for a file that is no text, or of which no more is shown than its name."""
    part: str = ""
    """Which part it is; empty for the whole."""


@dataclass(frozen=True, slots=True)
class Remains:
    """What a page shows of a run's folder."""

    story: tuple[Told, ...]
    log: Piece | None
    code: tuple[Piece, ...]
    more_code: bool
    """Whether there are further files."""
    submission: Piece | None
    instructions: Piece | None


def read_remains(folder: Path, attempt: int) -> Remains:
    """Read what an attempt left in the folder of its run; what is missing or odd is left out."""
    place = folder / "attempts" / str(attempt)
    code, more = _code(place / "code")
    return Remains(
        story=tuple(_story(place / "events.jsonl")),
        log=_piece(place / "run.log", LOG_BYTES, end=True),
        code=code,
        more_code=more,
        submission=_piece(place / "submission" / "submission.csv", HEAD_BYTES),
        instructions=_piece(place / "instructions.txt", TOLD_BYTES),
    )


def last_events(folder: Path, attempt: int, number: int) -> list[Told]:
    """Return the last few events of an attempt."""
    return list(_story(folder / "attempts" / str(attempt) / "events.jsonl", first=0, last=number))[-number:]


def _story(path: Path, first: int = EVENTS // 3, last: int = EVENTS - EVENTS // 3) -> Iterator[Told]:
    from datetime import datetime

    began: datetime | None = None
    kept: deque[Told] = deque(maxlen=last)
    number = 0
    try:
        for event in read_events(path):
            at = datetime.fromisoformat(event["time"])
            began = began or at
            told = Told((at - began).total_seconds(), printable(tell(event), limit=LINE), event["kind"] in FLAGGED)
            number += 1
            if number <= first:
                yield told
            else:
                kept.append(told)
    except (RunError, KeyError, TypeError, ValueError) as error:
        kept.append(Told(None, f"The log of events is damaged from here on ({printable(str(error), limit=LINE)})."))
    except OSError:
        pass  # the attempt has not begun
    if number > first + last and first:
        yield Told(None, f"{number - first - last} events are left out here.")
    yield from kept


def _code(folder: Path) -> tuple[tuple[Piece, ...], bool]:
    """Return the files below a folder that are named, the texts of the first of them, and whether there are more."""
    pieces: list[Piece] = []
    left = CODE_BYTES
    for path in _files(folder):
        if len(pieces) == FILES:
            return tuple(pieces), True
        piece = _piece(path, min(FILE_BYTES, left), str(path.relative_to(folder)))
        if piece is not None:
            pieces.append(piece)
            left -= min(piece.size, FILE_BYTES, left) if piece.text is not None else 0
    return tuple(pieces), False


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, those that lie directly in it first."""
    for root, below, names in os.walk(folder):
        below.sort()
        yield from (Path(root, name) for name in sorted(names))


def _piece(path: Path, most: int, name: str = "", *, end: bool = False) -> Piece | None:
    """Return the beginning or the end of a regular file."""
    try:
        descriptor = os.open(path, _OPEN)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            return None
        size = facts.st_size
        if end and size > most:
            file.seek(-most, os.SEEK_END)
        data = file.read(most)
    shown = printable(name or path.name, limit=200)
    if b"\0" in data or (not data and size):
        return Piece(shown, size, None)
    lines = data.decode("utf-8", errors="replace").splitlines()
    if size > most and len(lines) > 1:
        lines = lines[1:] if end else lines[:-1]  # the cut one
    text = "\n".join(printable(line.expandtabs(4), limit=LINE) for line in lines)
    part = f"{'last' if end else 'first'} {format_binary_size(len(data))}" if size > most else ""
    return Piece(shown, size, text, part)
