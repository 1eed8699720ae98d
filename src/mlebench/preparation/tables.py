"""Steps on tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from mlebench.preparation.split import split_positions

if TYPE_CHECKING:
    from collections.abc import Sequence


def one_hot(frame: pd.DataFrame, id: str, label: str, classes: Sequence[str]) -> pd.DataFrame:
    """Return the id column followed by one integer column (0/1) for each class; rows keep their order."""
    labels = frame[label].to_numpy()
    columns: dict[str, Any] = {id: frame[id].to_numpy()}
    columns.update({name: (labels == name).astype(int) for name in classes})
    return pd.DataFrame(columns)


def number_shuffled(frame: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """Return a frame's rows in random order with a column `id` of 0, 1, 2 … in front.

    Neither order nor ids tell where a row stood before; only the index does, and `write_csv` leaves it out.
    """
    order, _ = split_positions(len(frame), 0, seed)
    shuffled = frame.iloc[order].copy()  # in one piece, or pandas warns of many columns
    shuffled.insert(0, "id", range(len(shuffled)))
    return shuffled
