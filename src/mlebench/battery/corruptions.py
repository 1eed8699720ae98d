"""Submissions that are invalid on purpose, and which of them a competition must refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mlebench.tasks.shape import Match
from mlebench.tasks.values import Values

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from mlebench.battery.prepared import PreparedTask
    from mlebench.tasks.declaration import Declaration

    Corruption = Callable[[PreparedTask], pd.DataFrame]


def without_a_row(task: PreparedTask) -> pd.DataFrame:
    return task.sample.iloc[:-1]


def with_a_row_added(task: PreparedTask) -> pd.DataFrame:
    import pandas as pd

    return pd.concat([task.sample, task.sample.iloc[:1]])


def with_an_id_repeated(task: PreparedTask) -> pd.DataFrame:
    if len(task.sample) == 1:  # there is no other row to repeat
        return with_a_row_added(task)
    sample = task.sample
    for name in task.shape.ids:
        sample = _replace_first(sample, name, sample[name].iloc[-1])
    return sample


def with_an_unknown_id(task: PreparedTask) -> pd.DataFrame:
    import pandas as pd

    ids = task.sample[task.shape.ids[0]]
    unknown = ids.max() + 1_000_003 if pd.api.types.is_numeric_dtype(ids) else "unknown-id"
    return _replace_first(task.sample, str(ids.name), unknown)


def without_the_id_column(task: PreparedTask) -> pd.DataFrame:
    return task.sample.drop(columns=task.shape.ids[0])


def without_a_target_column(task: PreparedTask) -> pd.DataFrame:
    return task.sample.drop(columns=task.targets[-1])


def without_columns(task: PreparedTask) -> pd.DataFrame:
    return task.sample[[]]


def with_text_for_a_value(task: PreparedTask) -> pd.DataFrame:
    return _replace_first(task.sample, task.targets[0], "some words")


def _replace_first(frame: pd.DataFrame, column: str, value: Any) -> pd.DataFrame:
    """Return a copy of a frame with another value in the first row of a column."""
    values = frame[column].astype(object)
    values.iloc[0] = value
    return frame.assign(**{column: values})


CORRUPTIONS: tuple[Corruption, ...] = (
    without_a_row,
    with_a_row_added,
    with_an_id_repeated,
    with_an_unknown_id,
    without_the_id_column,
    without_a_target_column,
    without_columns,
    with_text_for_a_value,
)
_OF_IDS: set[Corruption] = {with_an_id_repeated, with_an_unknown_id}


def corruptions_to_refuse(declaration: Declaration) -> list[Corruption]:
    """Return the corruptions that a competition must refuse, given the form that it declares."""
    shape = declaration.submission
    accepted: set[Corruption] = set()
    if shape.match in (Match.RANK, Match.POSITION):
        accepted |= _OF_IDS
    if shape.match is Match.REPEATS:
        accepted |= {with_a_row_added}
    if shape.match is Match.ORDER and declaration.grade_gets == "as_read":
        accepted |= {without_a_row, with_a_row_added, *_OF_IDS}
    if shape.match is Match.POSITION:
        accepted |= {without_the_id_column}
    if declaration.check is None and shape.values in (Values.TEXT, Values.ANYTHING):
        accepted |= {with_text_for_a_value}
    return [corruption for corruption in CORRUPTIONS if corruption not in accepted]
