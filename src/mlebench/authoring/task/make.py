"""Write the folder of a task made from a table: aside first, then tested, then moved into place."""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.authoring.task.draft import Draft
from mlebench.authoring.task.form import choose_form, find_metric
from mlebench.authoring.task.table import read_table
from mlebench.errors import UsageError
from mlebench.ground.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.authoring.task.table import Table

ID = re.compile(r"[a-z0-9][a-z0-9-]*[a-z0-9]")


@dataclass(frozen=True)
class NewTask:
    """The folder of a new task, and what its author should know about it."""

    folder: Path
    task_id: str
    metric: str
    embedded: bool
    """Whether the table is copied into the folder."""
    train_rows: int
    test_rows: int
    sample_score: float
    """Score of the sample submission."""
    best_score: float
    """Score of the best simple model; of the answers themselves if no model could be fitted."""
    notes: list[str] = field(default_factory=list)


def make_task(
    folder: Path,
    source: Path,
    target: str,
    metric: str,
    *,
    id_column: str | None = None,
    test_size: float = 0.2,
    title: str | None = None,
    embed: bool = True,
    progress: Callable[[str], object] = lambda step: None,
) -> NewTask:
    """Write the folder of a new task made from a table: declaration, code, briefs, leaderboard and a test.

    Parameters
    ----------
    folder : Path
        The folder to write. Its last part is the competition's id.
    source : Path
        The table: a CSV file in UTF-8 with a row per case.
    target : str
        The column to predict.
    metric : str
        Full or short name of a metric for one target column, such as `auc` or `rmse`.
    id_column : str, optional
        The column that identifies a row. Without it, rows are numbered, unless there is a column `id`.
    test_size : float
        Share of the rows in the test set, between 0 and 1.
    title : str, optional
        The competition's title; by default made from its id.
    embed : bool
        Copy the table into the folder, so that the task runs at once. Otherwise the folder holds synthetic data for
        rehearsals, and the table is given to `prepare`.
    progress : callable, optional
        Called with a short text at each step.

    Returns
    -------
    NewTask
        The folder, sizes and scores.

    Raises
    ------
    UsageError
        An argument is not allowed, or the folder exists.
    RawDataError
        No task can be made from the table.
    """
    folder, source = Path(folder), Path(source)
    title = title or folder.name.replace("-", " ").capitalize()
    _check_arguments(folder, title, test_size)
    chosen = find_metric(metric)
    progress("reading the table")
    table = read_table(source, target, id_column)
    draft = Draft(folder.name, title, table, choose_form(table, chosen), test_size, embed)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{draft.task_id}-", dir=folder.parent) as scratch:
        new = Path(scratch, draft.task_id)
        new.mkdir()
        progress("writing the task")
        draft.write_code(new)
        draft.write_data(new)
        scores = draft.complete(new, Path(scratch, "data"), progress)
        new.chmod(0o755)
        shutil.rmtree(new / "__pycache__", ignore_errors=True)
        new.rename(folder)
    return NewTask(
        folder,
        draft.task_id,
        chosen.name,
        embed,
        scores.train_rows,
        scores.test_rows,
        scores.sample,
        scores.best,
        _notes(table, id_column),
    )


def _check_arguments(folder: Path, title: str, test_size: float) -> None:
    if not ID.fullmatch(folder.name):
        raise UsageError(
            f"The name {folder.name!r} cannot be a competition's id; use lower-case letters, digits and hyphens, "
            "as in my-task."
        )
    if folder.exists():
        raise UsageError(f"There is a folder {folder} already; choose another name, or remove it.")
    if not 0 < test_size < 1:
        raise UsageError(f"The test set's share of the rows must be between 0 and 1, not {test_size:g}.")
    if not title.isprintable() or not title.strip():
        raise UsageError("The title must be one line of plain text.")


def _notes(table: Table, id_column: str | None) -> list[str]:
    notes = []
    if table.duplicates:
        notes.append(f"{count(table.duplicates, 'row')} repeat another, so some test rows have a copy in train.csv.")
    if table.id is None:
        notes.append("The rows have no ids, so they are shuffled and numbered.")
    elif id_column is None:
        notes.append(f"The column {table.id!r} is used as the id, because of its name.")
    return notes
