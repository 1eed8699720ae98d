"""How a task divides its rows into train and test, as its declaration says for each version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    Key = str | Callable[[pd.DataFrame], "pd.Series[Any]"]
    """The name of a column, or a function that makes a key for each row."""


class Split(BaseModel):
    """Divides rows into train and test; a preparer gets it as its argument `split`.

    The preparer says what a group and what a copy is. The declaration says, for each version, whether that matters.

    Examples
    --------
    >>> import pandas as pd
    >>> photos = pd.DataFrame({"id": list("abcdef"), "patient": [1, 1, 2, 2, 3, 3]})
    >>> for split in Split(test_size=0.3), Split(test_size=0.3, unit="group"):
    ...     print([part["id"].tolist() for part in split(photos, group="patient")])
    [['b', 'd', 'a', 'e'], ['f', 'c']]
    [['d', 'c', 'a', 'b'], ['f', 'e']]
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    test_size: float
    """Below 1 a share of the rows, rounded up; else a number of rows."""
    unit: Literal["row", "group"] = "row"
    """What is drawn: rows, or whole groups until the test part has at least its size."""
    copies: Literal["kept", "dropped"] = "kept"
    """Whether rows with the content of a test row may be in train."""
    seed: int = 0
    """Seed of the permutations."""

    def __call__(
        self, rows: pd.DataFrame, *, group: Key | None = None, content: Key | None = None
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return train and test, each in shuffled order.

        Parameters
        ----------
        rows
            A table with a row for each item.
        group
            What the rows of a group share, such as a patient.
        content
            What copies share, such as the digest of a file. It is not asked for where copies are kept.
        """
        from mlebench.preparation.copies import without_copies
        from mlebench.preparation.split import group_split, shuffle_rows, train_test_split

        if self.unit == "row":
            train, test = train_test_split(rows, self.test_size, self.seed)
        else:
            parts = group_split(rows, _keys(rows, group, "group"), self.test_size, self.seed)
            train, test = (shuffle_rows(part, self.seed) for part in parts)
        if self.copies == "dropped":
            train = without_copies(train, test, lambda both: _keys(both, content, "content"))
        return train, test


def _keys(rows: pd.DataFrame, key: Key | None, name: str) -> pd.Series[Any]:
    if key is None:
        raise TypeError(f"the preparer does not tell the {name} of a row")
    return rows[key] if isinstance(key, str) else key(rows)
