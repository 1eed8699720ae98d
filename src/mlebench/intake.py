"""Opening a submission file that may be hostile: whatever lies at the path, the answer is a frame or a sentence."""

from __future__ import annotations

import io
import os
import re
import stat
from typing import TYPE_CHECKING

from mlebench.errors import InvalidSubmissionError

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

MiB = 1024**2
LEAST_BYTES_ALLOWED = 64 * MiB
TIMES_THE_SAMPLE = 30
"""A file may be this many times as large as the sample submission (masks are, other predictions never)."""
FIELDS_ALLOWED = 20_000
LONG_LINE = 64 * 1024
"""Only lines longer than this can hold too many fields and are counted."""
BYTE_ORDER_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip"}


class SubmissionMissingError(InvalidSubmissionError):
    """Raised when there is no submission file at all."""


def size_allowed(sample_submission: Path) -> int:
    """Return how many bytes a submission may have, given the sample submission (which need not exist)."""
    try:
        sample = sample_submission.stat().st_size
    except OSError:
        sample = 0
    return max(LEAST_BYTES_ALLOWED, TIMES_THE_SAMPLE * sample)


def read_submission(path: Path, *, max_bytes: int = LEAST_BYTES_ALLOWED) -> pd.DataFrame:
    """Read a submission file as a table.

    Raises SubmissionMissingError when nothing is there or the name does not end in `.csv`, and
    InvalidSubmissionError for anything that is not a regular file of at most `max_bytes` with UTF-8 text
    in which pandas finds a table. Links are refused, since the file's author could make them point at answers.
    """
    import pandas as pd

    from mlebench.tables import read_csv

    if path.suffix.lower() != ".csv":
        raise SubmissionMissingError(f"The submission must be a file whose name ends in .csv, not '{path.name}'.")
    content = _read_bytes(path, max_bytes)
    _refuse_other_formats(content)
    _refuse_many_fields(content)
    try:
        return read_csv(io.BytesIO(content))
    except UnicodeDecodeError as error:
        raise InvalidSubmissionError(
            f"The submission must be UTF-8 text, but byte {error.start + 1} of a cell or name is not."
        ) from error
    except (pd.errors.ParserError, ValueError, OverflowError) as error:
        reason = re.sub(r"\s+", " ", str(error)).strip().rstrip(".").replace("{", "(").replace("}", ")")
        raise InvalidSubmissionError(f"The submission cannot be read as CSV: {reason}.") from error
    except MemoryError as error:
        raise InvalidSubmissionError("The submission takes more memory to read than there is.") from error


def _read_bytes(path: Path, max_bytes: int) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        raise SubmissionMissingError(f"There is no submission file {path}.") from None
    except OSError as error:
        if path.is_symlink():
            raise InvalidSubmissionError("The submission is a link; submit the file itself.") from None
        raise InvalidSubmissionError(f"The submission cannot be opened: {error.strerror}.") from error
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            kind = "a folder" if stat.S_ISDIR(facts.st_mode) else "a pipe, socket or device"
            raise InvalidSubmissionError(f"The submission is {kind}; submit a regular file.")
        if facts.st_size > max_bytes:
            raise InvalidSubmissionError(
                f"The submission has {facts.st_size / MiB:,.0f} MiB, but at most {max_bytes / MiB:,.0f} MiB are read."
            )
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise InvalidSubmissionError(f"The submission grew beyond {max_bytes / MiB:,.0f} MiB while it was read.")
    return content


def _refuse_other_formats(content: bytes) -> None:
    for mark, name in BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            raise InvalidSubmissionError(f"The submission must be plain UTF-8 text, but this looks like {name} data.")


def _refuse_many_fields(content: bytes) -> None:
    """Refuse a line with so many fields that building a frame of it would take all memory."""
    import numpy as np

    ends = np.flatnonzero(np.frombuffer(content, dtype=np.uint8) == ord("\n")) if len(content) > LONG_LINE else []
    start = 0
    lengths = np.diff(np.concatenate([[0], ends, [len(content)]]).astype(np.int64))
    for line in np.flatnonzero(lengths > LONG_LINE):
        start = 0 if line == 0 else int(ends[line - 1]) + 1
        fields = content.count(b",", start, start + int(lengths[line])) + 1
        if fields > FIELDS_ALLOWED:
            raise InvalidSubmissionError(f"Line {line + 1} of the submission has {fields:,} fields, which is too many.")
