"""Open submission files, which may be hostile: the result is a data frame or a refusal in one sentence."""

from __future__ import annotations

import errno
import io
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.files import NotRegularError, is_machine_failure, open_regular
from mlebench.ground.wording import count, format_binary_size, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import pandas as pd

MiB = 1024**2
MAX_TIMES_SAMPLE = 30
"""A submission may be this many times as large as the sample submission. Masks are; other predictions never are."""
MAX_COLUMNS = 20_000
BYTE_ORDER_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip"}
BLANK_LINES = re.compile(rb"(?:[ \t]*+[\r\n])*+")
BLANK_AFTER_RETURN = re.compile(rb"\r[ \t]+[^ \t\r\n]")
QUOTED = re.compile(rb'"[^"]*+"')
FIELD = re.compile(rb'"[^"]*+(?:""[^"]*+)*+"?[^,\r\n]*+|[^,\r\n]*+')
"""One field as pandas parses it: only a quotation mark at its start lets it hold commas and line ends."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """How large a submission may be, which bounds the memory that reading it takes."""

    bytes: int = 64 * MiB
    """Maximum size of the file."""
    fields: int = 4_000_000
    """Maximum number of cells of the table, those included that pandas adds to short rows."""

    @classmethod
    def like(cls, *references: Path) -> Allowance:
        """Return the allowance for submissions like the first of these files that exists.

        A submission has the rows and columns of the sample submission, but its text may hold commas.
        """
        for path in references:
            try:
                content = path.read_bytes()
            except OSError as error:
                if is_machine_failure(error):
                    raise
                continue
            return cls(size_allowed(path), max(cls().fields, 4 * (content.count(b",") + _line_ends(content))))
        return cls()


def size_allowed(reference: Path) -> int:
    """Return the maximum size in bytes of a submission like this file, which need not exist."""
    try:
        return max(Allowance().bytes, MAX_TIMES_SAMPLE * reference.stat().st_size)
    except OSError:
        return Allowance().bytes


class SubmissionMissingError(InvalidSubmissionError):
    """Raised when there is no submission file."""


def read_submission(path: Path, allowance: Allowance | None = None, *, text: Iterable[str] = ()) -> pd.DataFrame:
    """Read a submission file as a data frame.

    Parameters
    ----------
    path
        The submission.
    allowance
        How large it may be; by default 64 MiB and 4,000,000 cells.
    text
        Columns that are read as text, as in `read_csv`.

    Raises
    ------
    SubmissionMissingError
        There is no file, or its name does not end in `.csv`.
    InvalidSubmissionError
        The file is not a regular one, is too large, or is not UTF-8 text in CSV format.
    """
    allowance = allowance or Allowance()
    return parse_submission(read_submission_bytes(path, allowance), allowance, text=text)


def read_submission_bytes(path: Path, allowance: Allowance) -> bytes:
    """Return the content of a submission file; raises as `read_submission` does, for the file alone.

    Links are refused: the author of the file could make them point at answers. An OSError is a failure of this machine,
    such as a disk with defects.
    """
    if path.suffix.lower() != ".csv":
        raise SubmissionMissingError(
            f"The submission must be a file whose name ends in .csv, not '{one_line(path.name)}'."
        )
    try:
        file = open_regular(path)
    except NotRegularError as error:
        if error.kind == "a symbolic link":
            raise InvalidSubmissionError("The submission is a link; submit the file itself.") from None
        raise InvalidSubmissionError(f"The submission is {error.kind}; submit a regular file.") from None
    except OSError as error:
        if is_machine_failure(error):
            raise
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
            raise SubmissionMissingError(f"There is no submission file {one_line(str(path))}.") from None
        raise InvalidSubmissionError(f"The submission cannot be opened: {error.strerror}.") from error
    except ValueError:  # a zero byte in the path
        raise SubmissionMissingError(f"There is no submission file {one_line(str(path))}.") from None
    with file:
        size = os.fstat(file.fileno()).st_size
        if size > allowance.bytes:
            found, limit = format_binary_size(size), format_binary_size(allowance.bytes)
            raise InvalidSubmissionError(f"The submission has {found}, but the limit for this task is {limit}.")
        content = file.read(size + 1)  # reserves as much memory as is asked for
    if len(content) > size:
        raise InvalidSubmissionError("The submission grew while it was read; submit it when it is complete.")
    return content


def parse_submission(content: bytes, allowance: Allowance, *, text: Iterable[str] = ()) -> pd.DataFrame:
    """Parse CSV in UTF-8; raises InvalidSubmissionError for anything else."""
    import pandas as pd

    from mlebench.ground import collisions
    from mlebench.ground.tables import read_csv

    _refuse_other_formats(content)
    _refuse_too_many_fields(content, allowance.fields)
    try:
        if collisions.IS_NEEDED and collisions.has_colliding_texts(content):
            portions: Any = read_csv(io.BytesIO(content), text=text, chunksize=collisions.ROWS_AT_ONCE)
            frame: pd.DataFrame = pd.concat(list(portions))
            return frame
        return read_csv(io.BytesIO(content), text=text)
    except UnicodeDecodeError as error:
        raise InvalidSubmissionError(
            f"The submission must be UTF-8 text, but byte {error.start + 1} of a cell or column name is not UTF-8."
        ) from error
    except (pd.errors.ParserError, ValueError, OverflowError) as error:
        reason = one_line(str(error).rpartition("C error: ")[2]).rstrip(".")
        raise InvalidSubmissionError(f"The submission cannot be read as CSV: {reason}.") from error
    except MemoryError as error:
        raise InvalidSubmissionError("The submission needs more memory to read than this machine has.") from error


def _refuse_other_formats(content: bytes) -> None:
    for mark, name in BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            raise InvalidSubmissionError(f"The submission must be plain UTF-8 text, but it looks like {name} data.")
    if b"\0" in content:  # versions of pandas read it differently
        raise InvalidSubmissionError("The submission must be plain UTF-8 text, but it holds zero bytes.")
    if (b"\r " in content or b"\r\t" in content) and BLANK_AFTER_RETURN.search(QUOTED.sub(b"", content)):
        raise InvalidSubmissionError(  # pandas before 3.1 reads lines before it twice
            "A line of the submission begins with a blank after a lone carriage return; end lines with line feeds."
        )


def _refuse_too_many_fields(content: bytes, limit: int) -> None:
    """Refuse text of which pandas would make a data frame that takes all memory.

    pandas pads rows to the width of the header or, where that is wider, of the first row. A later row that is wider
    is an error.
    """
    lines = _line_ends(content) + 1
    separators = content.count(b",") + lines - 1
    width, position = 0, 0
    for line in (1, 2):
        fields, position = _count_fields(content, position)
        if fields > MAX_COLUMNS:
            raise InvalidSubmissionError(f"Line {line} of the submission has more than {MAX_COLUMNS:,} columns.")
        width = max(width, fields)
    if max(separators, lines * width) > limit + width:
        raise InvalidSubmissionError(
            f"The submission has {count(lines, 'line')} and up to {count(width, 'column')}, far more than the sample "
            "submission."
        )


def _count_fields(content: bytes, position: int) -> tuple[int, int]:
    """Return the number of fields of the next line that is not blank, and where the line after it begins."""
    position = _end_of_match(BLANK_LINES, content, position)
    fields = 0
    while fields <= MAX_COLUMNS:
        fields, position = fields + 1, _end_of_match(FIELD, content, position)
        if content[position : position + 1] != b",":
            break
        position += 1
    return fields, position + 1


def _end_of_match(pattern: re.Pattern[bytes], content: bytes, position: int) -> int:
    match = pattern.match(content, position)
    return match.end() if match else position


def _line_ends(content: bytes) -> int:
    return content.count(b"\n") + content.count(b"\r") - content.count(b"\r\n")
