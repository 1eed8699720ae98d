"""Convert tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from mlebench.preparation.split import split_positions

if TYPE_CHECKING:
    from collections.abc import Sequence


def one_hot(frame: pd.DataFrame, id: str, label: str, classes: Sequence[str]) -> pd.DataFrame:
    """Return a table of class indicators.

    Parameters
    ----------
    frame
        The rows.
    id, label
        Columns with the id and the class of each row.
    classes
        The classes, in the order of the new columns.

    Returns
    -------
    DataFrame
        The id column, and an integer column (0 or 1) for each class.

    Examples
    --------
    >>> one_hot(pd.DataFrame({"id": [7, 8], "dog": ["pug", "boxer"]}), "id", "dog", ["boxer", "pug"]).values.tolist()
    [[7, 0, 1], [8, 1, 0]]
    """
    labels = frame[label].to_numpy()
    columns: dict[str, Any] = {id: frame[id].to_numpy()}
    columns.update({name: (labels == name).astype(int) for name in classes})
    return pd.DataFrame(columns)


def number_shuffled(frame: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """Return rows in random order with a new first column `id` (0, 1, 2 and so on).

    Only the index tells the original position of a row, and `write_csv` does not write it.
    """
    order, _ = split_positions(len(frame), 0, seed)
    shuffled = frame.iloc[order].copy()  # a copy, since pandas warns of tables with many columns
    shuffled.insert(0, "id", range(len(shuffled)))
    return shuffled
