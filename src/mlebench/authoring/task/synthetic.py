"""Synthetic rows with the columns, types and values of a table, and none of its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from mlebench.authoring.task.forms import Form
    from mlebench.authoring.task.table import OwnTable

ROWS = 80
MOST_LEVELS = 50
"""A column of text with up to so many different values keeps them."""
WORDS = "amber birch cloud delta ember field grove harbor island juniper kernel lantern meadow north orbit".split()


def synthetic_rows(table: OwnTable, form: Form, seed: int = 0) -> pd.DataFrame:
    """Return a small table in which every column is drawn on its own; each class comes several times."""
    import numpy as np
    import pandas as pd

    draw = np.random.RandomState(seed)
    rows = max(ROWS, 4 * len(form.classes))
    columns: dict[str, Any] = {}
    for name in table.rows.columns:
        column = table.rows[name]
        if name == table.id:
            numeric = pd.api.types.is_numeric_dtype(column)
            columns[name] = draw.permutation(rows) + 1 if numeric else [f"row-{n}" for n in draw.permutation(rows)]
        elif name == table.target and form.classes:
            classes = column.unique()
            columns[name] = classes[draw.permutation(np.arange(rows) % len(classes))]
        else:
            columns[name] = _drawn(column, rows, draw, whole=name == table.target)
    return pd.DataFrame(columns)


def _drawn(column: pd.Series[Any], rows: int, draw: np.random.RandomState, *, whole: bool) -> pd.Series[Any]:
    """Return values like a column's, as often missing as they are there, unless they must be whole."""
    import numpy as np
    import pandas as pd

    known = column.dropna()
    values: Any
    if known.empty:
        return pd.Series([None] * rows, dtype=object)
    if pd.api.types.is_bool_dtype(known):
        values = draw.rand(rows) < 0.5
    elif pd.api.types.is_numeric_dtype(known):
        finite = known[np.isfinite(known.to_numpy(dtype=float))]
        low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
        values = low + (high - low) * draw.beta(2, 2, rows)
        if (finite % 1 == 0).all():
            values = np.round(values)
            if pd.api.types.is_integer_dtype(known) and max(abs(low), abs(high)) < 2**53:
                values = values.astype("int64")
        else:
            values = np.round(values, 6)
    elif known.nunique() <= MOST_LEVELS:
        levels = known.unique()
        values = levels[draw.randint(len(levels), size=rows)]
    else:
        values = [" ".join(draw.choice(WORDS, draw.randint(1, 9))) for _ in range(rows)]
    drawn = pd.Series(values)
    share = 0 if whole else float(column.isna().mean())
    return drawn.where(draw.rand(rows) >= share) if share else drawn
