"""The user's own table: read, and refused with the reason where no task can be made of it."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.errors import RawDataError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

FEWEST_ROWS = 20
LONGEST_NAME = 80
NUMBERS_NAME = "id"
"""The column of ids that rows without ids of their own get."""


@dataclass(frozen=True)
class OwnTable:
    """A table to make a task of: its rows, which column is to be predicted, and which one names a row."""

    path: Path
    rows: pd.DataFrame
    target: str
    id: str | None
    """None where the rows are to be numbered."""

    @property
    def id_name(self) -> str:
        """The column that names a row in the task."""
        return self.id or NUMBERS_NAME

    @property
    def repeats(self) -> int:
        """How many rows are the same as another one, ids aside."""
        return int(self.rows.drop(columns=[self.id] if self.id else []).duplicated().sum())


def read_table(path: Path, target: str, id: str | None) -> OwnTable:
    """Read a CSV file and check that a task can be made of it; RawDataError says what is to be mended."""
    rows = _read(path)
    if target not in rows.columns:
        raise UnknownNameError(f"column of {path.name}", target, rows.columns)
    if id is not None and id not in rows.columns:
        raise UnknownNameError(f"column of {path.name}", id, rows.columns)
    if id == target:
        raise RawDataError(f"The column {target!r} cannot be both what names a row and what is to be predicted.")
    if len(rows) < FEWEST_ROWS:
        raise RawDataError(f"The table {path.name} has {len(rows)} rows; a task needs at least {FEWEST_ROWS}.")
    if id is None and NUMBERS_NAME in rows.columns and target != NUMBERS_NAME:
        id = NUMBERS_NAME
    if id is None and len(rows.columns) < 2:
        raise RawDataError(f"The table {path.name} has no column but {target!r}, so nothing to predict it from.")
    if id is None and target == NUMBERS_NAME:
        raise RawDataError(f"The target cannot be named {target!r}, the name of the ids that rows get; rename it.")
    for name in filter(None, (target, id)):
        if not nameable(name):
            raise RawDataError(f"The column {name!r} must be named by plain text of at most {LONGEST_NAME} characters.")
    if id is not None:
        _check_ids(path, rows[id])
    _check_target(path, rows[target])
    return OwnTable(path, rows, target, id)


def nameable(name: str) -> bool:
    """Say whether a column's name can stand in a brief."""
    return name.isprintable() and name.strip() == name and "`" not in name and 0 < len(name) <= LONGEST_NAME


def _read(path: Path) -> pd.DataFrame:
    import pandas as pd

    from mlebench.ground.tables import read_csv

    if not path.is_file():
        raise RawDataError(f"There is no file {path}; name a table of your own, a CSV file.")
    try:
        rows = read_csv(path)
        header, first = _first_lines(path)
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
        raise RawDataError(f"The rows of {path.name} have more cells than its first line names columns.")
    if rows.empty:
        raise RawDataError(f"The table {path.name} has a line with the columns' names and no rows below it.")
    return rows


def _first_lines(path: Path) -> tuple[list[str], list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = csv.reader(file)
        return next(lines, []), next(lines, [])


def _check_header(path: Path, header: list[str]) -> None:
    if len(header) == 1:
        for sign, name in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars")):
            if sign in header[0]:
                raise RawDataError(f"The cells of {path.name} stand between {name}; put commas between them.")
    for place, name in enumerate(header):
        if not name.strip():
            raise RawDataError(
                f"Column {place + 1} of {path.name} has no name; name it in the first line, or leave it out "
                "(pandas writes such a column unless it is told index=False)."
            )
        if name in header[:place]:
            raise RawDataError(f"The table {path.name} has two columns named {name!r}; rename one of them.")


def _check_ids(path: Path, ids: pd.Series[Any]) -> None:
    missing, repeated = int(ids.isna().sum()), int(ids.duplicated().sum())
    if missing:
        raise RawDataError(f"The column {ids.name!r} of {path.name} names the rows and is missing in {missing:,}.")
    if repeated:
        example = str(ids[ids.duplicated()].iloc[0])[:80]
        raise RawDataError(
            f"The column {ids.name!r} of {path.name} names the rows, but {repeated:,} repeat the id of another, "
            f"{example!r} for one; name another column with --id-column, or rename this one to have rows numbered."
        )


def _check_target(path: Path, target: pd.Series[Any]) -> None:
    missing = int(target.isna().sum())
    if missing:
        raise RawDataError(
            f"The target {target.name!r} of {path.name} is missing in {missing:,} of {len(target):,} rows; "
            "leave those rows out."
        )
    if target.nunique() < 2:
        raise RawDataError(f"The target {target.name!r} of {path.name} has the same value in all rows.")
