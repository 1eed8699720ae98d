"""Rows of large CSV tables, for preparers that split and write them."""

from mlebench.preparation.rows.gather import gather
from mlebench.preparation.rows.rows import FrameRows, Rows, read_rows

__all__ = ["FrameRows", "Rows", "gather", "read_rows"]
