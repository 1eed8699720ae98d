"""Read and write CSV tables: the one place that settles float parsing and byte-identical output."""

from __future__ import annotations

import csv
import io
import warnings
from typing import IO, TYPE_CHECKING, Any

import pandas as pd

from mlebench.ground import overflow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


ROWS_AT_A_TIME = 100_000
PLAIN_OPTIONS = {"float_precision", "header", "names", "sep", "usecols"}
"""Options of `pandas.read_csv` that leave the types of columns to pandas."""


def read_csv(source: Path | str | IO[bytes], *, text: Iterable[str] = (), **options: Any) -> pd.DataFrame:
    """Read a CSV table as version v1 of every task does: with pandas' defaults, and floats exact to the last digit.

    Parameters
    ----------
    source
        A path, a URL as text, or an open binary file.
    text
        Columns that are read as text, whatever they hold: `NA` is a word, and a blank cell is the empty text.
    **options
        Options of `pandas.read_csv`.

    Returns
    -------
    DataFrame
        The table; without columns and rows for a source of 0 bytes.
    """
    options.setdefault("float_precision", "round_trip")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pd.errors.DtypeWarning)
        warnings.filterwarnings("ignore", message=".*float_precision")  # deprecated in 3.1, there until 4
        start = source.tell() if hasattr(source, "tell") else 0

        def read_cells(**more: Any) -> pd.DataFrame:
            if hasattr(source, "seek"):
                source.seek(start)
            frame: pd.DataFrame = pd.read_csv(source, **options, **more)
            return frame

        try:
            frame = read_cells()
        except pd.errors.EmptyDataError:
            return pd.DataFrame()
        if overflow.IS_NEEDED and options.keys() <= PLAIN_OPTIONS:
            frame = overflow.with_text(frame, lambda: read_cells(dtype=str, na_filter=False))
        if names := [name for name in text if name in frame.columns]:
            frame = frame.assign(**read_cells(dtype=str, na_filter=False)[names].astype(object))
    return frame


def write_csv(frame: pd.DataFrame, path: Path, float_format: str | None = None) -> None:
    """Write a table without its index as CSV: commas, line feeds, UTF-8, nothing for a missing cell.

    The bytes are those of `DataFrame.to_csv`, the same on every Python. A cell is quoted if it holds a
    comma, a quotation mark or a line feed. Python 3.13 and later also quote a lone carriage return; this function never
    does.

    Parameters
    ----------
    frame
        The table.
    path
        The file, whose folder is made.
    float_format
        A printf format for floats; by default, the shortest text that gives the same float.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    options: dict[str, Any] = {"index": False, "lineterminator": "\n", "float_format": float_format}
    if not (_PYTHON_QUOTES_RETURNS and any("\r" in text for text in _texts(frame))):
        frame.to_csv(path, **options)
        return
    with path.open("wb") as file:
        for first in range(0, len(frame) or 1, ROWS_AT_A_TIME):
            rows = frame.iloc[first : first + ROWS_AT_A_TIME]
            text = "".join(_texts(rows))
            stand_in = next(char for char in map(chr, range(0xE000, 0xF900)) if char not in text)
            text = _replace(rows, "\r", stand_in).to_csv(None, header=not first, **options)
            file.write(text.replace(stand_in, "\r").encode())


def write_quoted_csv(frame: pd.DataFrame, file: IO[bytes]) -> None:
    """Write a table as CSV with all names and texts in quotation marks; a missing cell is the empty text."""
    frame.to_csv(file, index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC, mode="wb")


def _python_quotes_returns() -> bool:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(["\r"])
    return out.getvalue().startswith('"')


_PYTHON_QUOTES_RETURNS = _python_quotes_returns()


def _text_columns(frame: pd.DataFrame) -> list[Any]:
    return [name for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]


def _texts(frame: pd.DataFrame) -> Iterator[str]:
    """Yield the names of the columns and the texts in them."""
    yield from map(str, frame.columns)
    for name in _text_columns(frame):
        yield from (cell for cell in frame[name] if isinstance(cell, str))


def _replace(frame: pd.DataFrame, old: str, new: str) -> pd.DataFrame:
    def replaced(cell: Any) -> Any:
        return cell.replace(old, new) if isinstance(cell, str) else cell

    changed = {name: frame[name].map(replaced) for name in _text_columns(frame)}
    return frame.assign(**changed).rename(columns=replaced)
