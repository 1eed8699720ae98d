"""Parquet tables that are larger than memory, by the package pyarrow (the extra `parquet`)."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mlebench.errors import RawDataError
from mlebench.ground.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import pandas as pd

ROWS = 2**20
"""Rows in memory at a time."""


def read_parquet_chunks(path: Path, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
    """Yield some columns of a parquet table as data frames of 2^20 rows; RawDataError if it cannot be read."""
    pa = _library()
    try:
        with pa.parquet.ParquetFile(path, pre_buffer=False) as file:  # else it keeps the whole table in memory
            for batch in file.iter_batches(batch_size=ROWS, columns=list(columns)):
                yield batch.select(list(columns)).to_pandas().reset_index(drop=True)
    except FileNotFoundError:
        raise RawDataError(f"The raw data lack the file {path.name}.") from None
    except (pa.ArrowException, OSError, KeyError) as error:
        raise RawDataError(f"The parquet file {path.name} cannot be read: {error}.") from error


@contextmanager
def writing_parquet(path: Path) -> Iterator[Callable[[pd.DataFrame], None]]:
    """Open a new parquet table, and yield a function that adds the rows of a data frame, without its index.

    All data frames must have the same columns and types; at least one must be added. Compression is snappy.
    """
    pa = _library()
    path.parent.mkdir(parents=True, exist_ok=True)
    writer: Any = None

    def add(frame: pd.DataFrame) -> None:
        nonlocal writer
        table = pa.Table.from_pandas(frame, preserve_index=False)
        if writer is None:
            writer = pa.parquet.ParquetWriter(path, table.schema, compression="snappy")
        writer.write_table(table)

    try:
        yield add
    finally:
        if writer is not None:
            writer.close()


def _library() -> Any:
    require("parquet")
    import pyarrow as pa  # type: ignore[import-not-found, unused-ignore]
    import pyarrow.parquet  # type: ignore[import-not-found, unused-ignore]

    return pa
