"""The columns that train and test table share, as numbers for models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mlebench.scan.copies import MIN_TEXT, feature_columns
from mlebench.scan.targets import as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.scan.material import Material

    Array = np.ndarray[Any, np.dtype[Any]]

MAX_FEATURES = 200
"""Columns that are looked at: the first ones."""
MAX_LEVELS = 0.5
"""A column of text with more distinct values per row is used by its length."""


def shared_columns(material: Material) -> list[str]:
    """Return the columns that both tables have, without ids and answers; empty without two tables."""
    test, train = material.test, material.train
    if train is None or train.table is None or test.table is None:
        return []
    columns = feature_columns(test, train, material.declaration.submission.ids)
    if len(columns) > MAX_FEATURES:
        material.limits.append(f"{MAX_FEATURES} of {len(columns):,} columns were looked at.")
    return columns[:MAX_FEATURES]


def is_long(column: pd.Series[Any]) -> bool:
    """Return whether a column holds long cells, such as sentences or lists of numbers."""
    return not pd.api.types.is_numeric_dtype(column) and bool(as_text(column).str.len().median() >= MIN_TEXT)


def encode(name: str, tables: Sequence[pd.DataFrame]) -> list[Array]:
    """Return a column of several tables as floats: numbers, codes of texts that repeat, or lengths of other texts.

    Parameters
    ----------
    name : str
        A column that all tables have.
    tables : sequence of DataFrame
        The tables.
    """
    columns = [table[name] for table in tables]
    if all(pd.api.types.is_numeric_dtype(column) for column in columns):
        return [column.to_numpy(dtype=float, na_value=np.nan) for column in columns]
    texts = [as_text(column) for column in columns]
    both = pd.concat(texts)
    if both.nunique() > MAX_LEVELS * len(both):
        return [text.str.len().to_numpy(float) for text in texts]
    levels = pd.Index(both.value_counts().index)
    return [levels.get_indexer(pd.Index(text)).astype(float) for text in texts]
