"""Rows of large CSV tables that preparers split and write, but hardly look at."""

from mlebench.preparation.rows.gather import gather
from mlebench.preparation.rows.rows import FrameRows, Rows, read_rows

__all__ = ["FrameRows", "Rows", "gather", "read_rows"]
