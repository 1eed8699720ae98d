"""The answers of a task as arrays of classes or numbers, which statistics can use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    Array = np.ndarray[Any, np.dtype[Any]]

MAX_TARGETS = 6
"""Targets that scanners look at; those of further columns are left out."""
MAX_CLASSES = 0.5
"""A column with more distinct values per row than this has no classes."""


@dataclass(frozen=True)
class Target:
    """What is to be predicted, for each item.

    Attributes
    ----------
    values : array of shape (n_items,)
        Codes of classes, with -1 for unknown, or numbers, with NaN for unknown.
    """

    name: str
    values: Array
    classes: tuple[str, ...] | None = None
    """Names of the classes; None for numbers."""
    columns: tuple[str, ...] = ()
    """The columns of the answers that it is made of."""
    form: str = "number"
    """How cells become values: `class`, `one-hot`, `number` or `length` (of text)."""

    @property
    def is_class(self) -> bool:
        """Whether the values are codes of classes."""
        return self.classes is not None

    def take(self, positions: Array) -> Target:
        """Return the target of some items."""
        return replace(self, values=self.values[positions])

    @property
    def is_known(self) -> Array:
        """For each item, whether it has a value."""
        return self.values >= 0 if self.is_class else np.isfinite(self.values)


def code_targets(table: pd.DataFrame, names: Sequence[str], *, are_labels: bool = False) -> list[Target]:
    """Return the targets in columns of a table.

    Parameters
    ----------
    table : DataFrame
        A row for each item.
    names : sequence of str
        The target columns.
    are_labels : bool
        Whether the cells are names of classes, even if they are numbers or nearly all different.
    """
    names = [name for name in names if name in table.columns]
    if len(names) > 2 and _is_one_hot(table[names]):
        codes = table[names].to_numpy(float).argmax(axis=1)
        return [Target("class", codes, tuple(map(str, names)), tuple(names), "one-hot")]
    coded = [_code(table[name], are_labels=are_labels) for name in names]
    known = [target for target in coded if target is not None]
    spread = [target for target in known if len(np.unique(target.values[target.is_known])) > 1]
    return spread[:MAX_TARGETS]


def code_like(target: Target, table: pd.DataFrame, features: Collection[str] = ()) -> Target | None:
    """Return the same target for the items of another table; None if the table lacks it.

    Parameters
    ----------
    target : Target
        A target of the test items.
    table : DataFrame
        A table that may have it: in columns of the same names, or in one column with the names of its classes.
    features : collection of str
        Columns that are not answers, since test items have them too.
    """
    if not set(target.columns) <= set(table.columns):
        column = _column_of_classes(table.drop(columns=list(features), errors="ignore"), target)
        return None if column is None else replace(target, values=_codes(table[column], target.classes or ()))
    if target.is_class and target.form == "class" and table[target.columns[0]].is_unique and len(table) > 1:
        return None  # a list of the classes
    match target.form:
        case "one-hot":
            return replace(target, values=table[list(target.columns)].to_numpy(float).argmax(axis=1))
        case "class":
            return replace(target, values=_codes(table[target.columns[0]], target.classes or ()))
        case "length":
            return replace(target, values=_lengths(table[target.columns[0]]))
    return replace(target, values=pd.to_numeric(table[target.columns[0]], errors="coerce").to_numpy(float))


def as_text(column: pd.Series[Any]) -> pd.Series[Any]:
    """Return the cells of a column as text, in which 1.0 and True are written as 1 and a missing cell is empty."""
    if pd.api.types.is_bool_dtype(column):
        column = column.astype(int)
    if pd.api.types.is_float_dtype(column):
        known = column.dropna()
        if len(known) and (known % 1 == 0).all() and known.abs().max() < 2**53:
            column = column.astype("Int64")
    return column.astype(str).where(column.notna(), "").replace({"True": "1", "False": "0"})


def _code(column: pd.Series[Any], *, are_labels: bool) -> Target | None:
    name = str(column.name)
    size = len(column)
    if not size:
        return None
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column) and not are_labels:
        distinct = column.nunique()
        if distinct > 20 or distinct > MAX_CLASSES * size:
            return Target(name, column.to_numpy(float), None, (name,), "number")
    texts = as_text(column)
    classes = tuple(sorted(texts.unique()))
    if len(classes) > MAX_CLASSES * size and not are_labels and texts.str.len().nunique() > 1:
        return Target(f"length of {name}", _lengths(column), None, (name,), "length")
    return Target(name, _codes(column, classes), classes, (name,), "class")


def _codes(column: pd.Series[Any], classes: Sequence[str]) -> Array:
    code_of = {name: code for code, name in enumerate(classes)}
    return np.array([code_of.get(cell, -1) for cell in as_text(column)], dtype=np.int64)


def _lengths(column: pd.Series[Any]) -> Array:
    return np.asarray(as_text(column).str.len(), dtype=float)


def _is_one_hot(table: pd.DataFrame) -> bool:
    if not all(map(pd.api.types.is_numeric_dtype, table.dtypes)):
        return False
    values = table.to_numpy(float)
    return bool(np.isin(values, (0, 1)).all() and (values.sum(axis=1) == 1).all())


def _column_of_classes(table: pd.DataFrame, target: Target) -> str | None:
    """Return the only column whose cells are names of the classes, and of most of them, if there is one."""
    wanted = set(target.classes or ()) - {""}
    if len(wanted) < 2:
        return None
    found = []
    for name in table.columns:
        cells = as_text(table[name])
        share = 0.1 if target.form == "one-hot" else 0.5  # columns name all classes, also those that hardly occur
        if cells.isin(wanted).mean() > 0.8 and len(wanted & set(cells)) > share * len(wanted) and not cells.is_unique:
            found.append(str(name))
    return found[0] if len(found) == 1 else None
