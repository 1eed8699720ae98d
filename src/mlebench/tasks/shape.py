"""A declared submission shape: reading a frame, saying what is wrong with it, and aligning it to the answers."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import count, join_names, plain
from mlebench.tasks.matching import check_order, match_ids, match_ranks, match_repeats, positions_of
from mlebench.tasks.values import Values, check_labels, check_numbers, check_sums, check_text, whole_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd


class Match(StrEnum):
    """How a submission's rows are paired with those of the answers."""

    IDS = "ids"
    """By equal ids; a submission with other ids is refused."""
    REPEATS = "repeats"
    """By equal ids, all of which must be there; each copy of a row counts (a quirk of some tasks' v1)."""
    RANK = "rank"
    """By the place of the id among the sorted ids, whatever the ids are (a quirk of some tasks' v1)."""
    POSITION = "position"
    """By the place in the file; ids are not looked at and need not be there (a quirk of some tasks' v1)."""
    ORDER = "order"
    """By the place in the file, where the ids must be those of the answers. With `grade_gets: as_read`, v1 grades what
    breaks this, and more or fewer rows, as the task's function says (a quirk of one task's v1)."""


class Shape(BaseModel):
    """The shape of a submission: one row for each row of the answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str | tuple[str, ...]
    """The column, or columns, that name a row."""
    targets: tuple[str, ...] | None = None
    """The columns to predict; without them, all columns of the answers but the ids."""
    values: Values
    range: tuple[float, float] | None = None
    """Bounds of `numbers`, ends included."""
    missing: Literal["refused", "allowed"] = "refused"
    """Whether `numbers` may be missing or infinite, and so give a score that is no number."""
    exact_columns: bool = False
    """Whether further columns are refused."""
    ids_first: bool = False
    """Whether the id columns must be the first ones (a quirk of some tasks' v1)."""
    columns_in_order: bool = False
    """Whether the columns must be the ids and then the targets, in that order and no others (a quirk likewise)."""
    keep_columns: bool = False
    """Whether further columns go on to the task's functions, which look at them (a quirk likewise)."""
    match: Match = Match.IDS

    @property
    def ids(self) -> list[str]:
        return [self.id] if isinstance(self.id, str) else list(self.id)

    def target_names(self, reference: pd.DataFrame) -> list[str]:
        """Return the target columns, given the answers or the sample submission."""
        if self.targets is not None:
            return list(self.targets)
        return [str(name) for name in reference.columns if name not in self.ids]

    def align(self, submission: pd.DataFrame, reference: pd.DataFrame) -> pd.DataFrame:
        """Return ids and targets of a submission in the row order of the reference, copies one after the other.

        The reference is the answers, or the sample submission, which names the same columns and ids.
        Raises InvalidSubmissionError with one sentence that says what is wrong.
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
        """Return the answers row by row for an aligned submission, which may hold copies of rows."""
        if self.match is not Match.REPEATS or len(aligned) == len(answers):
            return answers
        return answers.iloc[positions_of(aligned[self.ids], answers[self.ids])].reset_index(drop=True)

    def fill_blanks(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return a submission or answers with the empty text for blank target cells, where targets are text."""
        if self.values is not Values.TEXT:
            return table
        cells = table[table.columns.intersection(self.target_names(table))].astype(object)
        return table.assign(**cells.where(cells.notna(), ""))

    def check_outline(self, submission: pd.DataFrame, reference: pd.DataFrame) -> list[str]:
        """Return the columns that a submission needs, having checked that it has them and the right number of rows."""
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
                raise InvalidSubmissionError(f"Submission may not have the further {_columns(surplus)}.")
        if self.columns_in_order and list(submission.columns) != needed:
            raise InvalidSubmissionError("Submission must have the sample's columns, no others, in the sample's order.")
        if self.ids_first and list(submission.columns[: len(self.ids)]) != self.ids:
            raise InvalidSubmissionError(f"Submission must begin with the {_columns(self.ids)}.")

    def _check_values(self, submission: pd.DataFrame, reference: pd.DataFrame, targets: list[str]) -> pd.DataFrame:
        """Refuse values of another form; return the submission, in which numbers that are truncated have been."""
        match self.values:
            case Values.LABELS:
                for name in targets:
                    check_labels(submission[name], like=reference.get(name))
            case Values.TEXT:
                for name in targets:
                    check_text(submission[name])
            case Values.NUMBERS | Values.PROBABILITIES | Values.DISTRIBUTION:
                bounds = self.range if self.values is Values.NUMBERS else (0, 1)
                for name in targets:
                    check_numbers(submission[name], bounds, missing=self.missing == "allowed")
            case Values.TRUNCATED_NUMBERS:
                return submission.assign(**{name: whole_numbers(submission[name]) for name in targets})
            case Values.ANYTHING:
                pass
        if self.values is Values.DISTRIBUTION:
            check_sums(submission[targets])
        return submission


def _columns(names: Any) -> str:
    shown = join_names(plain(str(name)) for name in names)
    return f"column{'s' if len(names) != 1 else ''} {shown}" if shown else "no columns"
