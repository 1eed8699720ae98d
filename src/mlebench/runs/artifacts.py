"""What an attempt left in its folder, within limits: events, log, code, submission, instructions.

Agents write most of it. So links are not followed, pipes are not waited for, and the size of everything is limited.
"""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import RunError
from mlebench.ground.files import open_regular
from mlebench.ground.wording import count, format_binary_size, printable
from mlebench.runs.events import read_events
from mlebench.runs.story import FLAGGED, tell

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_EVENTS = 150
"""Events that are read: the first third of them from the start, the others from the end."""
MAX_LOG_BYTES = 16 * 1024
MAX_SUBMISSION_BYTES = 4 * 1024
MAX_INSTRUCTIONS_BYTES = 8 * 1024
MAX_FILE_BYTES = 12 * 1024
"""Of one file of code."""
MAX_CODE_BYTES = 48 * 1024
"""Of all files of code together."""
MAX_FILES = 100
"""Files of code that are named."""
MAX_LINE = 400
"""Characters of a line."""


@dataclass(frozen=True, slots=True)
class EventText:
    """One event as a sentence."""

    seconds: float | None
    """Since the first event; None for a note about missing events."""
    sentence: str
    is_flagged: bool = False
    """Whether a reader should see it first."""


@dataclass(frozen=True, slots=True)
class FileText:
    """A file, or a part of it."""

    name: str
    size: int
    """Bytes of the whole file."""
    text: str | None
    """Printable; None for a binary file, or if only the name is shown."""
    part: str = ""
    """Which part the text is, such as `last 16 KiB`; empty for the whole file."""


@dataclass(frozen=True, slots=True)
class Artifacts:
    """What an attempt left, within limits; None for a missing file."""

    events: tuple[EventText, ...]
    log: FileText | None
    code: tuple[FileText, ...]
    has_more_code: bool
    """Whether there are more files than `code` names."""
    submission: FileText | None
    instructions: FileText | None


def read_artifacts(run_folder: Path, attempt: int) -> Artifacts:
    """Read what an attempt left in its run's folder; missing or unreadable files are left out."""
    folder = run_folder / "attempts" / str(attempt)
    code = list(_code(folder / "code"))
    return Artifacts(
        events=tuple(_events(folder / "events.jsonl")),
        log=_read_part(folder / "run.log", MAX_LOG_BYTES, from_end=True),
        code=tuple(code[:MAX_FILES]),
        has_more_code=len(code) > MAX_FILES,
        submission=_read_part(folder / "submission" / "submission.csv", MAX_SUBMISSION_BYTES),
        instructions=_read_part(folder / "instructions.txt", MAX_INSTRUCTIONS_BYTES),
    )


def read_last_events(run_folder: Path, attempt: int, number: int) -> list[EventText]:
    """Read the last few events of an attempt."""
    return list(_events(run_folder / "attempts" / str(attempt) / "events.jsonl", first=0, last=number))[-number:]


def _events(path: Path, first: int = MAX_EVENTS // 3, last: int = MAX_EVENTS - MAX_EVENTS // 3) -> Iterator[EventText]:
    """Yield the first and the last events of a log, with a note about those between."""
    start: datetime | None = None
    tail: deque[EventText] = deque(maxlen=last)
    number = 0
    try:
        for event in read_events(path):
            time = datetime.fromisoformat(event["time"])
            start = start or time
            sentence = printable(tell(event), limit=MAX_LINE)
            text = EventText((time - start).total_seconds(), sentence, event["kind"] in FLAGGED)
            number += 1
            if number <= first:
                yield text
            else:
                tail.append(text)
    except (RunError, KeyError, TypeError, ValueError) as error:
        tail.append(EventText(None, f"The log of events is damaged here ({printable(str(error), limit=MAX_LINE)})."))
    except OSError:
        pass  # the attempt has not started
    if number > first + last and first:
        yield EventText(None, f"{count(number - first - last, 'event')} left out here.")
    yield from tail


def _code(folder: Path) -> Iterator[FileText]:
    """Yield up to one file more than `MAX_FILES`, files of the top folder first; texts until `MAX_CODE_BYTES`."""
    left = MAX_CODE_BYTES
    files = 0
    for root, folders, names in os.walk(folder):
        folders.sort()
        for path in (Path(root, name) for name in sorted(names)):
            file = _read_part(path, min(MAX_FILE_BYTES, left), str(path.relative_to(folder)))
            if file is None:
                continue
            yield file
            files += 1
            if files > MAX_FILES:
                return
            left -= min(file.size, MAX_FILE_BYTES, left) if file.text is not None else 0


def _read_part(path: Path, limit: int, name: str = "", *, from_end: bool = False) -> FileText | None:
    """Read the start or the end of a regular file; None if there is no such file."""
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if from_end and size > limit:
                file.seek(-limit, os.SEEK_END)
            data = file.read(limit)
    except OSError:
        return None
    shown = printable(name or path.name, limit=200)
    if b"\0" in data or (not data and size):
        return FileText(shown, size, None)
    lines = data.decode("utf-8", errors="replace").splitlines()
    if size > limit and len(lines) > 1:
        lines = lines[1:] if from_end else lines[:-1]  # the incomplete line
    text = "\n".join(printable(line.expandtabs(4), limit=MAX_LINE) for line in lines)
    part = f"{'last' if from_end else 'first'} {format_binary_size(len(data))}" if size > limit else ""
    return FileText(shown, size, text, part)
