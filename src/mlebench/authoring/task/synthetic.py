"""Synthetic rows for rehearsals: the columns, types and values of a table, but none of its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from mlebench.authoring.task.form import Form
    from mlebench.authoring.task.table import Table

MIN_ROWS = 80
MAX_LEVELS = 50
"""A text column with at most this many different values keeps them; others get random words."""
WORDS = "amber birch cloud delta ember field grove harbor island juniper kernel lantern meadow north orbit".split()


def synthetic_rows(table: Table, form: Form, seed: int = 0) -> pd.DataFrame:
    """Return a small table whose columns are drawn independently; each class occurs several times.

    Parameters
    ----------
    table : Table
        The table to imitate.
    form : Form
        Its form, with the classes.
    seed : int
        Seed of the random numbers.
    """
    import numpy as np
    import pandas as pd

    rng = np.random.RandomState(seed)
    rows = max(MIN_ROWS, 4 * len(form.classes))
    columns: dict[str, Any] = {}
    for name in table.rows.columns:
        column = table.rows[name]
        if name == table.id:
            is_numeric = pd.api.types.is_numeric_dtype(column)
            columns[name] = rng.permutation(rows) + 1 if is_numeric else [f"row-{n}" for n in rng.permutation(rows)]
        elif name == table.target and form.classes:
            classes = column.unique()
            columns[name] = classes[rng.permutation(np.arange(rows) % len(classes))]
        else:
            columns[name] = _draw(column, rows, rng, missing=name != table.target)
    return pd.DataFrame(columns)


def _draw(column: pd.Series[Any], rows: int, rng: np.random.RandomState, *, missing: bool) -> pd.Series[Any]:
    """Return values like those of a column; with `missing`, as large a share of them is missing."""
    import numpy as np
    import pandas as pd

    known = column.dropna()
    values: Any
    if known.empty:
        return pd.Series([None] * rows, dtype=object)
    if pd.api.types.is_bool_dtype(known):
        values = rng.rand(rows) < 0.5
    elif pd.api.types.is_numeric_dtype(known):
        finite = known[np.isfinite(known.to_numpy(dtype=float))]
        low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
        values = low + (high - low) * rng.beta(2, 2, rows)
        if (finite % 1 == 0).all():
            values = np.round(values)
            if pd.api.types.is_integer_dtype(known) and max(abs(low), abs(high)) < 2**53:
                values = values.astype("int64")
        else:
            values = np.round(values, 6)
    elif known.nunique() <= MAX_LEVELS:
        levels = known.unique()
        values = levels[rng.randint(len(levels), size=rows)]
    else:
        values = [" ".join(rng.choice(WORDS, rng.randint(1, 9))) for _ in range(rows)]
    drawn = pd.Series(values)
    share = float(column.isna().mean()) if missing else 0
    return drawn.where(rng.rand(rows) >= share) if share else drawn
