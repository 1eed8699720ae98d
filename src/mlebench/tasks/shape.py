"""The declared shape of a submission: validate a data frame and align it with the answers."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import count, join_names, plain
from mlebench.tasks.matching import (
    check_order,
    is_sorted,
    match_ids,
    match_ranks,
    match_repeats,
    positions_of,
    sorted_positions,
)
from mlebench.tasks.values import (
    Values,
    check_labels,
    check_numbers,
    check_positive_sums,
    check_sums,
    check_text,
    check_vocabulary,
    float_numbers,
    whole_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from mlebench.tasks.matching import Positions


class Match(StrEnum):
    """How the rows of a submission are matched with those of the answers."""

    IDS = "ids"
    """By equal ids; a submission with other ids is refused."""
    REPEATS = "repeats"
    """By equal ids, all of which must be present; a row may be repeated, and each copy counts (a quirk of some v1)."""
    RANK = "rank"
    """By the rank of the id among the sorted ids, which may differ from those of the answers (a quirk of some v1)."""
    POSITION = "position"
    """By the position in the file; ids are ignored and may be missing (a quirk of some v1)."""
    ORDER = "order"
    """By the position in the file, where the ids must equal those of the answers. With `grade_gets: as_read`, v1 grades
    other submissions as well, as the task's function does (a quirk of one v1)."""


class Shape(BaseModel):
    """The shape of a submission: its columns, their values, and one row for each row of the answers.

    Examples
    --------
    >>> import pandas as pd
    >>> shape = Shape(id="id", targets=("y",), values=Values.PROBABILITIES)
    >>> answers = pd.DataFrame({"id": ["a", "b"], "y": [0, 1]})
    >>> shape.align(pd.DataFrame({"id": ["b", "a"], "y": [0.9, 0.2]}), answers)["y"].tolist()
    [0.2, 0.9]
    >>> shape.align(pd.DataFrame({"id": ["b", "a"], "y": [0.9, 1.2]}), answers)
    Traceback (most recent call last):
    mlebench.errors.InvalidSubmissionError: The value 1.2 of column 'y' in row 2 is not between 0 and 1.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str | tuple[str, ...]
    """The column, or columns, that identify a row."""
    targets: tuple[str, ...] | None = None
    """The columns to predict; None for all columns of the answers except the ids."""
    values: Values
    range: tuple[float, float] | None = None
    """Lowest and highest allowed value of `numbers`, or of `labels` that are integers."""
    missing: Literal["refused", "allowed"] = "refused"
    """Whether `numbers` may be missing or infinite, which gives a score of NaN or infinity."""
    exact_columns: bool = False
    """Whether other columns are refused."""
    ids_first: bool = False
    """Whether the id columns must come first (a quirk of some v1)."""
    columns_in_order: bool = False
    """Whether the columns must be exactly the ids and then the targets, in order (a quirk of some v1)."""
    keep_columns: bool = False
    """Whether other columns are passed to the task's functions, which use them (a quirk of some v1)."""
    match: Match = Match.IDS
    labels: tuple[str, ...] | tuple[int, ...] | None = None
    """All labels that may be predicted; None for any."""
    verbatim: bool = False
    """Whether `text` is read as it is: `NA` and `null` are words, and numbers keep their spelling."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.labels is not None and self.values is not Values.LABELS:
            raise ValueError("`labels` needs `values: labels`")
        return self

    def without_quirks(self) -> Shape:
        """Return the shape that later versions than v1 have: rows match by id, and all values are as declared."""
        values = {Values.TRUNCATED_NUMBERS: Values.LABELS, Values.FLOATS: Values.NUMBERS}.get(self.values, self.values)
        return Shape(
            id=self.id, targets=self.targets, values=values, range=self.range, labels=self.labels, verbatim=True
        )

    @property
    def text_columns(self) -> tuple[str, ...]:
        """Columns of the files of submissions and answers that are read as text, whatever they hold."""
        return (self.targets or ()) if self.verbatim and self.values is Values.TEXT else ()

    @property
    def ids(self) -> list[str]:
        """The id columns."""
        return [self.id] if isinstance(self.id, str) else list(self.id)

    def target_names(self, reference: pd.DataFrame) -> list[str]:
        """Return the target columns, given the answers or the sample submission."""
        if self.targets is not None:
            return list(self.targets)
        return [str(name) for name in reference.columns if name not in self.ids]

    def align(self, submission: pd.DataFrame, reference: pd.DataFrame) -> pd.DataFrame:
        """Return the ids and targets of a submission in the row order of the reference.

        Parameters
        ----------
        submission
            The submission as it was read.
        reference
            The answers, or the sample submission, which has the same columns and ids.

        Returns
        -------
        DataFrame
            The submission, with repeated rows next to each other.

        Raises
        ------
        InvalidSubmissionError
            Columns, values, number of rows or ids are wrong. The message says what in one sentence.
        """
        targets = self.target_names(reference)
        columns = self.check_outline(submission, reference)
        submission = self.fill_blanks(submission if self.keep_columns else submission[columns])
        submission = self._check_values(submission, reference, targets)
        match self.match:
            case Match.IDS:
                order = match_ids(submission[self.ids], reference[self.ids])
            case Match.REPEATS:
                order = match_repeats(submission[self.ids], reference[self.ids])
            case Match.RANK:
                order = match_ranks(submission[self.ids], reference[self.ids])
            case Match.POSITION:
                order = None
            case Match.ORDER:
                order = None
                check_order(submission[self.ids], reference[self.ids])
        if order is None:
            return submission.reset_index(drop=True)
        return submission.iloc[order].reset_index(drop=True)

    def answers_for(self, aligned: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
        """Return the answers row by row for an aligned submission, which may repeat rows."""
        if self.match is not Match.REPEATS or len(aligned) == len(answers):
            return answers
        return answers.iloc[positions_of(aligned[self.ids], answers[self.ids])].reset_index(drop=True)

    def sorting(self, answers: pd.DataFrame) -> Positions | None:
        """Return the positions that sort answers by their ids, or None if rows stay where they are.

        v1 of tasks that match ids computes the metric on sorted rows, and the order of a sum decides its last bit.
        """
        if self.match not in (Match.IDS, Match.RANK):
            return None
        return None if is_sorted(answers[self.ids]) else sorted_positions(answers[self.ids])

    def fill_blanks(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return a table with the empty text in blank target cells, if targets are text; else unchanged."""
        if self.values is not Values.TEXT:
            return table
        cells = table[table.columns.intersection(self.target_names(table))].astype(object)
        return table.assign(**cells.where(cells.notna(), ""))

    def check_outline(self, submission: pd.DataFrame, reference: pd.DataFrame) -> list[str]:
        """Check the columns and the number of rows of a submission, and return the columns that it needs."""
        targets = self.target_names(reference)
        columns = targets if self.match is Match.POSITION else [*self.ids, *targets]
        self._check_columns(submission, columns)
        if len(submission) != len(reference) and self.match not in (Match.REPEATS, Match.ORDER):
            raise InvalidSubmissionError(
                f"The submission has {count(submission, 'row')}, but there must be {len(reference)}, one for each id."
            )
        return columns

    def _check_columns(self, submission: pd.DataFrame, needed: Sequence[str]) -> None:
        missing = [name for name in needed if name not in submission.columns]
        if missing:
            raise InvalidSubmissionError(
                f"Submission is missing the following {_columns(missing)}; it has {_columns(submission.columns)}."
            )
        if self.exact_columns:
            surplus = [name for name in submission.columns if name not in (*self.ids, *needed)]
            if surplus:
                raise InvalidSubmissionError(f"Submission must not have the further {_columns(surplus)}.")
        if self.columns_in_order and list(submission.columns) != needed:
            raise InvalidSubmissionError("Submission must have exactly the sample's columns, in the sample's order.")
        if self.ids_first and list(submission.columns[: len(self.ids)]) != self.ids:
            raise InvalidSubmissionError(f"Submission must begin with the {_columns(self.ids)}.")

    def _check_values(self, submission: pd.DataFrame, reference: pd.DataFrame, targets: list[str]) -> pd.DataFrame:
        """Refuse values of another form; return the submission with numbers truncated to integers, if declared so."""
        match self.values:
            case Values.LABELS:
                for name in targets:
                    check_labels(submission[name], like=reference.get(name))
                    if self.range is not None:
                        check_numbers(submission[name], self.range, missing=False)
                    if self.labels is not None:
                        check_vocabulary(submission[name], self.labels)
            case Values.TEXT:
                for name in targets:
                    check_text(submission[name])
            case Values.NUMBERS | Values.PROBABILITIES | Values.DISTRIBUTION | Values.WEIGHTS:
                bounds = self.range if self.values is Values.NUMBERS else (0, 1)
                for name in targets:
                    check_numbers(submission[name], bounds, missing=self.missing == "allowed")
            case Values.TRUNCATED_NUMBERS:
                return submission.assign(**{name: whole_numbers(submission[name]) for name in targets})
            case Values.FLOATS:
                return submission.assign(**{name: float_numbers(submission[name]) for name in targets})
            case Values.ANYTHING:
                pass
        if self.values is Values.DISTRIBUTION:
            check_sums(submission[targets])
        if self.values is Values.WEIGHTS:
            check_positive_sums(submission[targets])
        return submission


def _columns(names: Any) -> str:
    shown = join_names(plain(str(name)) for name in names)
    return f"column{'s' if len(names) != 1 else ''} {shown}" if shown else "no columns"
