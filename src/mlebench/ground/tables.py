"""Reading and writing CSV tables: the one place where float parsing and byte-identical output are settled."""

from __future__ import annotations

import csv
import io
import warnings
from typing import IO, TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Iterator
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
    options: dict[str, Any] = {"index": False, "lineterminator": "\n", "float_format": float_format}
    if not (_PYTHON_QUOTES_RETURNS and any("\r" in text for text in _texts(frame))):
        frame.to_csv(path, **options)
        return
    with path.open("wb") as file:
        for first in range(0, len(frame) or 1, ROWS_AT_A_TIME):
            rows = frame.iloc[first : first + ROWS_AT_A_TIME]
            there = "".join(_texts(rows))
            stand_in = next(char for char in map(chr, range(0xE000, 0xF900)) if char not in there)
            text = _replace(rows, "\r", stand_in).to_csv(None, header=not first, **options)
            file.write(text.replace(stand_in, "\r").encode())


def write_quoted_csv(frame: pd.DataFrame, file: IO[bytes]) -> None:
    """Write a table with all names and texts in quotation marks and numbers without, as pandas prints it.

    A missing cell is the empty text. It is `to_csv` with `csv.QUOTE_NONNUMERIC`, several times faster for columns of
    whole numbers and text.
    """
    if any(column.dtype.kind == "f" for _, column in frame.items()):
        frame.to_csv(file, index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC, mode="wb")
        return
    file.write((",".join(map(_quoted, frame.columns)) + "\n").encode())
    for first in range(0, len(frame), ROWS_AT_A_TIME):
        columns = [_forms(cells) for _, cells in frame.iloc[first : first + ROWS_AT_A_TIME].items()]
        row, cells = ",".join(form for form, _ in columns), zip(*(cells for _, cells in columns), strict=True)
        file.write(("\n".join(map(row.__mod__, cells)) + "\n").encode())


def _forms(cells: pd.Series[Any]) -> tuple[str, list[Any]]:
    """Return a printf format for all cells of a column, and what is to be put into it."""
    if cells.dtype.kind in "iu":
        return "%d", cells.tolist()
    texts = cells.astype(object).where(cells.notna(), "").tolist()
    if pd.api.types.infer_dtype(texts) not in ("string", "empty"):
        return "%s", [_quoted(cell) if isinstance(cell, str) else str(cell) for cell in texts]
    return '"%s"', [text.replace('"', '""') for text in texts] if '"' in "".join(texts) else texts


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


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
