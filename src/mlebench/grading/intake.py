"""Opening a submission file that may be hostile: whatever lies there, the answer is a frame or a sentence."""

from __future__ import annotations

import errno
import io
import os
import re
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.errors import InvalidSubmissionError

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

MiB = 1024**2
TIMES_THE_SAMPLE = 30
"""A file may be this many times as large as the sample submission (masks are, other predictions never)."""
COLUMNS_ALLOWED = 20_000
BLOCK = 256 * 1024
"""Bytes that are counted at a time, few enough to stay near the processor."""
BYTE_ORDER_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip"}
BLANK_LINES = re.compile(rb"(?:[ \t]*+[\r\n])*+")
FIELD = re.compile(rb'"[^"]*+(?:""[^"]*+)*+"?[^,\r\n]*+|[^,\r\n]*+')
"""One field as pandas takes it: only a quote right at its start lets it hold commas and line ends."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """How large a submission may be, so that reading it takes a bounded amount of memory."""

    bytes: int = 64 * MiB
    fields: int = 4_000_000
    """Cells of the table that pandas would make, those that it adds to short rows included."""

    @classmethod
    def like(cls, *references: Path) -> Allowance:
        """Return the allowance for submissions like the first of these files that is there.

        A submission has the rows and columns of the sample submission, but its text may hold commas.
        """
        for path in references:
            try:
                content = path.read_bytes()
            except OSError:
                continue
            return cls(size_allowed(path), max(cls().fields, 4 * _separators(content)))
        return cls()


def size_allowed(reference: Path) -> int:
    """Return how many bytes a submission like this file, which need not exist, may have."""
    try:
        return max(Allowance().bytes, TIMES_THE_SAMPLE * reference.stat().st_size)
    except OSError:
        return Allowance().bytes


class SubmissionMissingError(InvalidSubmissionError):
    """Raised when there is no submission file at all."""


def read_submission(path: Path, allowance: Allowance | None = None) -> pd.DataFrame:
    """Read a submission file as a table: `parse_submission` of `submission_bytes`."""
    allowance = allowance or Allowance()
    return parse_submission(submission_bytes(path, allowance), allowance)


def submission_bytes(path: Path, allowance: Allowance) -> bytes:
    """Return what a submission file holds.

    Raises SubmissionMissingError when nothing is there or the name does not end in `.csv`, and
    InvalidSubmissionError for anything that is not a regular file of the size allowed. Links are refused,
    since the file's author could make them point at answers.
    """
    if path.suffix.lower() != ".csv":
        raise SubmissionMissingError(
            f"The submission must be a file whose name ends in .csv, not '{_plain(path.name)}'."
        )
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
            raise SubmissionMissingError(f"There is no submission file {_plain(str(path))}.") from None
        if error.errno == errno.ELOOP:
            raise InvalidSubmissionError("The submission is a link; submit the file itself.") from None
        raise InvalidSubmissionError(f"The submission cannot be opened: {error.strerror}.") from error
    except ValueError:  # a zero byte in the path
        raise SubmissionMissingError(f"There is no submission file {_plain(str(path))}.") from None
    facts, allowed = os.fstat(descriptor), f"{allowance.bytes / MiB:,.0f} MiB"
    if not stat.S_ISREG(facts.st_mode):
        os.close(descriptor)
        kind = "a folder" if stat.S_ISDIR(facts.st_mode) else "a pipe or a device"
        raise InvalidSubmissionError(f"The submission is {kind}; submit a regular file.")
    with os.fdopen(descriptor, "rb") as file:
        if facts.st_size > allowance.bytes:
            size = f"{facts.st_size / MiB:,.0f} MiB"
            raise InvalidSubmissionError(f"The submission has {size}, but at most {allowed} are read.")
        content = file.read(facts.st_size + 1)  # room is made for as much as is asked for
    if len(content) > facts.st_size:
        raise InvalidSubmissionError("The submission grew while it was read; submit a file that nobody writes to.")
    return content


def parse_submission(content: bytes, allowance: Allowance) -> pd.DataFrame:
    """Return the table that pandas finds in UTF-8 text; raises InvalidSubmissionError for anything else."""
    import pandas as pd

    from mlebench.ground.tables import read_csv

    _refuse_other_formats(content)
    _refuse_too_many_fields(content, allowance.fields)
    try:
        return read_csv(io.BytesIO(content))
    except UnicodeDecodeError as error:
        raise InvalidSubmissionError(
            f"The submission must be UTF-8 text, but byte {error.start + 1} of a cell or name is not."
        ) from error
    except (pd.errors.ParserError, ValueError, OverflowError) as error:
        reason = _plain(str(error).rpartition("C error: ")[2]).rstrip(".")
        raise InvalidSubmissionError(f"The submission cannot be read as CSV: {reason}.") from error
    except MemoryError as error:
        raise InvalidSubmissionError("The submission takes more memory to read than there is.") from error


def _refuse_other_formats(content: bytes) -> None:
    for mark, name in BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            raise InvalidSubmissionError(f"The submission must be plain UTF-8 text, but this looks like {name} data.")
    if b"\0" in content:  # pandas' versions differ in what they make of it
        raise InvalidSubmissionError("The submission must be plain UTF-8 text, but it holds zero bytes.")


def _refuse_too_many_fields(content: bytes, allowed: int) -> None:
    """Refuse text of which pandas would make a frame that takes all memory.

    pandas pads rows to the width of the header or, where that is wider, of the first row; a later row that is
    wider still is an error.
    """
    lines = _line_ends(content) + 1
    separators = _count(content, b",") + lines - 1
    width, position = 0, 0
    for line in (1, 2):
        fields, position = _count_fields(content, position)
        if fields > COLUMNS_ALLOWED:
            raise InvalidSubmissionError(
                f"Line {line} of the submission has more than {COLUMNS_ALLOWED:,} fields, which is too many."
            )
        width = max(width, fields)
    if max(separators, lines * width) > allowed + width:
        raise InvalidSubmissionError(
            f"The submission has {lines:,} lines and up to {width:,} columns, which is far more than expected."
        )


def _count_fields(content: bytes, position: int) -> tuple[int, int]:
    """Return the number of fields of the next line that is not blank, and where the line after it begins."""
    position = _end(BLANK_LINES, content, position)
    fields = 0
    while fields <= COLUMNS_ALLOWED:
        fields, position = fields + 1, _end(FIELD, content, position)
        if content[position : position + 1] != b",":
            break
        position += 1
    return fields, position + 1


def _end(pattern: re.Pattern[bytes], content: bytes, position: int) -> int:
    """Return where the match of a pattern that matches everywhere ends."""
    match = pattern.match(content, position)
    return match.end() if match else position


def _line_ends(content: bytes) -> int:
    ends = _count(content, b"\n")
    return ends + _count(content, b"\r") - content.count(b"\r\n") if b"\r" in content else ends


def _separators(content: bytes) -> int:
    return _count(content, b",") + _line_ends(content)


def _count(content: bytes, sign: bytes) -> int:
    """Return what `bytes.count` does, which stops at each place and is slow where there are many."""
    import numpy as np

    data = np.frombuffer(content, dtype=np.uint8)
    blocks = (data[first : first + BLOCK] for first in range(0, len(data), BLOCK))
    return sum(int(np.count_nonzero(block == ord(sign))) for block in blocks)


def _plain(text: str) -> str:
    """Return text of anybody's in one printable line of bearable length."""
    line = "".join(character if character.isprintable() else " " for character in text[:300])
    return re.sub(r" +", " ", line).strip()
