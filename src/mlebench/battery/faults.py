"""Submissions made faulty on purpose, and which of them a declared form must refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mlebench.tasks.shape import Match
from mlebench.tasks.values import Values

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from mlebench.battery.material import Material
    from mlebench.tasks.declaration import Declaration

    Fault = Callable[[Material], pd.DataFrame]


def without_a_row(material: Material) -> pd.DataFrame:
    return material.sample.iloc[:-1]


def with_a_row_added(material: Material) -> pd.DataFrame:
    import pandas as pd

    return pd.concat([material.sample, material.sample.iloc[:1]])


def with_an_id_repeated(material: Material) -> pd.DataFrame:
    if len(material.sample) == 1:  # nothing else to stand in for
        return with_a_row_added(material)
    sample = material.sample
    for name in material.shape.ids:
        sample = _replaced(sample, name, sample[name].iloc[-1])
    return sample


def with_an_unknown_id(material: Material) -> pd.DataFrame:
    import pandas as pd

    ids = material.sample[material.shape.ids[0]]
    unknown = ids.max() + 1_000_003 if pd.api.types.is_numeric_dtype(ids) else "nobody's-id"
    return _replaced(material.sample, str(ids.name), unknown)


def without_the_id_column(material: Material) -> pd.DataFrame:
    return material.sample.drop(columns=material.shape.ids[0])


def without_a_target_column(material: Material) -> pd.DataFrame:
    return material.sample.drop(columns=material.targets[-1])


def without_columns(material: Material) -> pd.DataFrame:
    return material.sample[[]]


def with_text_for_a_value(material: Material) -> pd.DataFrame:
    return _replaced(material.sample, material.targets[0], "some words")


def _replaced(frame: pd.DataFrame, column: str, value: Any) -> pd.DataFrame:
    """Return a frame with another value in the first row."""
    values = frame[column].astype(object)
    values.iloc[0] = value
    return frame.assign(**{column: values})


FAULTS: tuple[Fault, ...] = (
    without_a_row,
    with_a_row_added,
    with_an_id_repeated,
    with_an_unknown_id,
    without_the_id_column,
    without_a_target_column,
    without_columns,
    with_text_for_a_value,
)
FAULTS_OF_IDS: set[Fault] = {with_an_id_repeated, with_an_unknown_id}


def faults_of(declaration: Declaration) -> list[Fault]:
    """Return the faults that a competition must refuse by its declared form."""
    shape = declaration.submission
    forgiven: set[Fault] = set()
    if shape.match in (Match.RANK, Match.POSITION):
        forgiven |= FAULTS_OF_IDS
    if shape.match is Match.REPEATS:
        forgiven |= {with_a_row_added}
    if shape.match is Match.ORDER and declaration.grade_gets == "as_read":
        forgiven |= {without_a_row, with_a_row_added, *FAULTS_OF_IDS}
    if shape.match is Match.POSITION:
        forgiven |= {without_the_id_column}
    if declaration.check is None and shape.values in (Values.TEXT, Values.ANYTHING):
        forgiven |= {with_text_for_a_value}
    return [fault for fault in FAULTS if fault not in forgiven]
