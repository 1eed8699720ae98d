"""The user's table: read it, and refuse it with the reason if no task can be made from it."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.errors import RawDataError, UnknownNameError
from mlebench.ground.wording import count

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

MIN_ROWS = 20
MAX_NAME = 80
"""Characters of a column's name in a brief."""
DEFAULT_ID = "id"
"""The id column of tables without one; rows are then numbered."""
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}


@dataclass(frozen=True)
class Table:
    """The rows to make a task from, with the target column and the id column."""

    path: Path
    rows: pd.DataFrame
    target: str
    id: str | None
    """None if the rows are to be numbered."""

    @property
    def id_name(self) -> str:
        """The id column of the task."""
        return self.id or DEFAULT_ID

    @property
    def duplicates(self) -> int:
        """The number of rows that equal an earlier row, ids aside."""
        return int(self.rows.drop(columns=[self.id] if self.id else []).duplicated().sum())


def read_table(path: Path, target: str, id: str | None) -> Table:
    """Read a CSV file and check that a task can be made from it.

    Parameters
    ----------
    path : Path
        A CSV file in UTF-8 whose first line names the columns.
    target : str
        The column to predict.
    id : str, optional
        The id column. By default a column named `id`, or none.

    Raises
    ------
    UnknownNameError
        There is no such column.
    RawDataError
        No task can be made from the table; the message says what to fix.
    """
    rows = _read_rows(path)
    for name in filter(None, (target, id)):
        if name not in rows.columns:
            raise UnknownNameError(f"column of {path.name}", name, rows.columns)
    if id == target:
        raise RawDataError(f"The column {target!r} cannot be both the id and the target.")
    if len(rows) < MIN_ROWS:
        raise RawDataError(f"The table {path.name} has {count(rows, 'row')}; a task needs at least {MIN_ROWS}.")
    if id is None and DEFAULT_ID in rows.columns and target != DEFAULT_ID:
        id = DEFAULT_ID
    if id is None and len(rows.columns) < 2:
        raise RawDataError(f"The table {path.name} has only the column {target!r}, so nothing to predict it from.")
    if id is None and target == DEFAULT_ID:
        raise RawDataError(f"The target cannot be named {target!r}, the name of the new id column; rename it.")
    for name in filter(None, (target, id)):
        if not is_nameable(name):
            raise RawDataError(f"The column {name!r} needs a name of plain text with at most {MAX_NAME} characters.")
    if id is not None:
        _check_ids(path, rows[id])
    _check_target(path, rows[target])
    return Table(path, rows, target, id)


def is_nameable(name: str) -> bool:
    """Return whether a brief can hold a column's name: short, plain text without backquotes."""
    return name.isprintable() and name.strip() == name and "`" not in name and 0 < len(name) <= MAX_NAME


def _read_rows(path: Path) -> pd.DataFrame:
    import pandas as pd

    from mlebench.ground.tables import read_csv

    if not path.is_file():
        raise RawDataError(f"There is no file {path}; name a CSV file.")
    try:
        rows = read_csv(path)
        header, first = _read_first_lines(path)
    except UnicodeError as error:
        raise RawDataError(
            f"The table {path.name} is not text in UTF-8 ({error}); convert it, for instance with "
            f"'iconv -f latin1 -t utf-8 {path.name} > utf8.csv'."
        ) from error
    except (pd.errors.ParserError, ValueError, csv.Error) as error:
        reason = str(error).rpartition("C error: ")[2].strip().rstrip(".").replace("\n", " ")
        raise RawDataError(f"The table {path.name} cannot be read as a CSV file: {reason}.") from error
    if not header:
        raise RawDataError(f"The table {path.name} is empty; its first line must name the columns.")
    _check_header(path, header)
    if len(first) > len(header):
        raise RawDataError(f"The first row of {path.name} has more cells than the header has columns.")
    if rows.empty:
        raise RawDataError(f"The table {path.name} has a header and no rows.")
    return rows


def _read_first_lines(path: Path) -> tuple[list[str], list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = csv.reader(file)
        return next(lines, []), next(lines, [])


def _check_header(path: Path, header: list[str]) -> None:
    if len(header) == 1:
        for separator, name in _SEPARATORS.items():
            if separator in header[0]:
                raise RawDataError(f"The cells of {path.name} are separated by {name}; use commas.")
    for position, name in enumerate(header):
        if not name.strip():
            raise RawDataError(
                f"Column {position + 1} of {path.name} has no name; name it in the first line, or remove it "
                "(pandas writes such a column without index=False)."
            )
        if name in header[:position]:
            raise RawDataError(f"The table {path.name} has two columns named {name!r}; rename one of them.")


def _check_ids(path: Path, ids: pd.Series[Any]) -> None:
    missing, repeated = int(ids.isna().sum()), int(ids.duplicated().sum())
    if missing:
        raise RawDataError(f"The id column {ids.name!r} of {path.name} is missing in {count(missing, 'row')}.")
    if repeated:
        example = str(ids[ids.duplicated()].iloc[0])[:80]
        raise RawDataError(
            f"The id column {ids.name!r} of {path.name} has {count(repeated, 'repeated value')}, such as {example!r}; "
            "name another column with --id-column, or rename this one to have the rows numbered."
        )


def _check_target(path: Path, target: pd.Series[Any]) -> None:
    missing = int(target.isna().sum())
    if missing:
        raise RawDataError(
            f"The target {target.name!r} of {path.name} is missing in {missing:,} of {len(target):,} rows; "
            "remove those rows."
        )
    if target.nunique() < 2:
        raise RawDataError(f"The target {target.name!r} of {path.name} has the same value in all rows.")
