"""Parquet tables in chunks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mlebench.errors import RawDataError
from mlebench.preparation import parquet, read_parquet_chunks, writing_parquet

pytest.importorskip("pyarrow", reason="parquet tables need the package pyarrow")
TABLE = pd.DataFrame({"a": np.arange(10), "b": np.linspace(0, 1, 10, dtype="float32"), "c": np.arange(10) % 3 == 0})


def test_chunks_make_up_the_table_with_its_types(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "ROWS", 4)
    with writing_parquet(tmp_path / "in" / "a.parquet") as add:
        add(TABLE[:7])
        add(TABLE[7:])
    chunks = list(read_parquet_chunks(tmp_path / "in" / "a.parquet", ["b", "a"]))
    assert max(map(len, chunks)) <= 4
    pd.testing.assert_frame_equal(pd.concat(chunks, ignore_index=True), TABLE[["b", "a"]])
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "in" / "a.parquet"), TABLE)


def test_what_cannot_be_read_is_named(tmp_path):
    with pytest.raises(RawDataError, match=r"lack the file a\.parquet"):
        list(read_parquet_chunks(tmp_path / "a.parquet", ["a"]))
    (tmp_path / "a.parquet").write_bytes(b"PAR1, but cut off")
    with pytest.raises(RawDataError, match=r"a\.parquet cannot be read"):
        list(read_parquet_chunks(tmp_path / "a.parquet", ["a"]))
