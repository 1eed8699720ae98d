"""Reading and writing CSV tables: the one place where float parsing and byte-identical output are settled."""

from __future__ import annotations

import csv
import io
import warnings
from typing import IO, TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


ROWS_AT_A_TIME = 100_000


def read_csv(source: Path | str | IO[bytes], **options: Any) -> pd.DataFrame:
    """Read a table the way version v1 of every task does: pandas' defaults, floats parsed to the last digit.

    A source of 0 bytes gives a frame without columns and rows. Further options go to `pandas.read_csv`.
    """
    options.setdefault("float_precision", "round_trip")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pd.errors.DtypeWarning)
        warnings.filterwarnings("ignore", message=".*float_precision")  # deprecated in 3.1, there until 4
        try:
            frame: pd.DataFrame = pd.read_csv(source, **options)
        except pd.errors.EmptyDataError:
            return pd.DataFrame()
    return frame


def write_csv(frame: pd.DataFrame, path: Path, float_format: str | None = None) -> None:
    """Write a table without its index, as pandas prints it: `,`, `\\n`, UTF-8, empty for missing.

    Floats get the fewest digits that tell them apart, or the printf format given. A cell is put in quotation marks for
    a comma, a quotation mark or a line feed in it; since 3.13 Python does so for a lone carriage return as well, and
    here no Python does.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    returns = _columns_with_returns(frame) if _PYTHON_QUOTES_RETURNS else []
    if not returns:
        frame.to_csv(path, index=False, lineterminator="\n", float_format=float_format)
        return
    kept = "".join(cell for name in returns for cell in frame[name] if isinstance(cell, str))
    stand_in = next(char for char in map(chr, range(0xE000, 0xF900)) if char not in kept)
    changed = {name: frame[name].map(_replacing("\r", stand_in)) for name in returns}
    text = frame.assign(**changed).to_csv(None, index=False, lineterminator="\n", float_format=float_format)
    path.write_bytes(text.replace(stand_in, "\r").encode())


def write_quoted_csv(frame: pd.DataFrame, file: IO[bytes]) -> None:
    """Write a table with all names and texts in quotation marks and numbers without, as pandas prints it.

    A missing cell is the empty text. It is `to_csv` with `csv.QUOTE_NONNUMERIC`, several times faster for columns of
    whole numbers and text.
    """
    if any(column.dtype.kind == "f" for _, column in frame.items()):
        frame.to_csv(file, index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC, mode="wb")
        return
    file.write((",".join(_quoted(frame.columns)) + "\n").encode())
    for first in range(0, len(frame), ROWS_AT_A_TIME):
        rows = frame.iloc[first : first + ROWS_AT_A_TIME]
        cells = [_quoted(column.tolist()) for _, column in rows.items()]
        file.write(("\n".join(map(",".join, zip(*cells, strict=True))) + "\n").encode())


def _quoted(cells: Iterable[Any]) -> list[str]:
    return [
        '"' + cell.replace('"', '""') + '"' if isinstance(cell, str) else str(cell) if cell == cell else '""'
        for cell in cells
    ]


def _python_quotes_returns() -> bool:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(["\r"])
    return out.getvalue().startswith('"')


_PYTHON_QUOTES_RETURNS = _python_quotes_returns()


def _columns_with_returns(frame: pd.DataFrame) -> list[Any]:
    texts = [name for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
    return [name for name in texts if any(isinstance(cell, str) and "\r" in cell for cell in frame[name])]


def _replacing(old: str, new: str) -> Callable[[Any], Any]:
    return lambda cell: cell.replace(old, new) if isinstance(cell, str) else cell
