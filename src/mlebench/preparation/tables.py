"""Steps on tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Sequence


def one_hot(frame: pd.DataFrame, id: str, label: str, classes: Sequence[str]) -> pd.DataFrame:
    """Return the id column followed by one integer column (0/1) for each class; rows keep their order."""
    labels = frame[label].to_numpy()
    columns: dict[str, Any] = {id: frame[id].to_numpy()}
    columns.update({name: (labels == name).astype(int) for name in classes})
    return pd.DataFrame(columns)
