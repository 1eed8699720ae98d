"""Reading and writing CSV tables: the one place where float parsing and byte-identical output are settled."""

from __future__ import annotations

import warnings
from typing import IO, TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from pathlib import Path


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

    Floats get the fewest digits that tell them apart, or the printf format given.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(path, index=False, lineterminator="\n", float_format=float_format)
