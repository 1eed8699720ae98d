"""Writing a competition's folder of a table: made aside, tried, and moved into place when it works."""

from __future__ import annotations

import csv
import io
import re
import shutil
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.authoring.task import code, texts
from mlebench.authoring.task.forms import form_of, metric_named
from mlebench.authoring.task.table import read_table
from mlebench.errors import MLEBenchError, RawDataError, UsageError
from mlebench.tasks.competition import Competition

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from mlebench.authoring.task.forms import Form
    from mlebench.authoring.task.table import OwnTable

ID = re.compile(r"[a-z0-9][a-z0-9-]*[a-z0-9]")


@dataclass(frozen=True)
class MadeTask:
    """A competition's folder that was made, and what its author should know of it."""

    folder: Path
    task_id: str
    metric: str
    embedded: bool
    train_rows: int
    test_rows: int
    sample_score: float
    best_score: float
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
    progress: Callable[[str], object] = lambda doing: None,
) -> MadeTask:
    """Make a competition's folder of a CSV file; the last part of the folder's path is the competition's id.

    With `embed`, the table is copied into the folder, and the task runs at once; without, it is given when the data
    are prepared, and the folder holds synthetic data for rehearsals instead. `test_size` is the share of rows in the
    test set. Everything is made aside, tried, and then moved into place.

    Raises UsageError for arguments that make no sense and RawDataError for a table that no task can be made of.
    """
    task_id = folder.name
    if not ID.fullmatch(task_id):
        raise UsageError(
            f"The name {task_id!r} cannot be a competition's id; use small letters, digits and hyphens, as in my-task."
        )
    if folder.exists():
        raise UsageError(f"There is a folder {folder} already; name another one, or remove it.")
    if not 0 < test_size < 1:
        raise UsageError(f"The test set's share of the rows is between 0 and 1, not {test_size:g}.")
    title = title or task_id.replace("-", " ").capitalize()
    if not title.isprintable() or not title.strip():
        raise UsageError("The title must be a line of plain text.")
    wanted = metric_named(metric)
    progress("reading the table")
    table = read_table(source, target, id_column)
    form = form_of(table, wanted)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{task_id}-", dir=folder.parent) as scratch:
        made = Path(scratch, task_id)
        made.mkdir()
        progress("writing the task")
        _write_task(made, task_id, title, table, form, test_size, embed=embed)
        _write_data(made, table, form, embed=embed)
        task = _try(made, Path(scratch, "data"), table, form, title, progress)
        made.chmod(0o755)
        shutil.rmtree(made / "__pycache__", ignore_errors=True)
        made.rename(folder)
    notes = []
    if table.repeats:
        notes.append(f"{table.repeats:,} rows are the same as another one, so some test rows have a copy in train.csv.")
    if table.id is None:
        notes.append("The rows have no ids of their own; they are shuffled and numbered.")
    elif id_column is None:
        notes.append(f"The column {table.id!r} names the rows, since that is what it is called.")
    return MadeTask(folder, task_id, wanted.name, embed, *task, notes)


def _write_task(
    folder: Path, task_id: str, title: str, table: OwnTable, form: Form, test_size: float, *, embed: bool
) -> None:
    _declare(folder, task_id, title, table, form, [], embed=embed)
    (folder / "task.py").write_text(code.code(title, table, form, test_size, embedded=embed), encoding="utf-8")
    (folder / "test_task.py").write_text(code.TEST, encoding="utf-8")
    (folder / "brief.md").touch()  # which a competition has from the beginning
    (folder / "leaderboard.csv").touch()


def _declare(
    folder: Path, task_id: str, title: str, table: OwnTable, form: Form, words: list[str], *, embed: bool
) -> None:
    year = datetime.now(UTC).year
    declared = code.declaration(task_id, title, table, form, words, year=year, embedded=embed)
    (folder / "competition.yaml").write_text(declared, encoding="utf-8")


def _write_data(folder: Path, table: OwnTable, form: Form, *, embed: bool) -> None:
    from mlebench.authoring.task.synthetic import synthetic_rows
    from mlebench.preparation import pack

    if embed:
        (folder / "data").mkdir()
        shutil.copyfile(table.path, folder / "data" / table.path.name)
    else:
        content = synthetic_rows(table, form).to_csv(index=False, lineterminator="\n").encode()
        pack(folder / "rehearsal.zip", {table.path.name: content, "rehearsal.json": b"{}\n"})


def _try(
    folder: Path, data: Path, table: OwnTable, form: Form, title: str, progress: Callable[[str], object]
) -> tuple[int, int, float, float]:
    """Prepare and grade as everybody will, write what follows from that; return the parts' rows and two scores."""
    from mlebench.authoring.task.field import model_field
    from mlebench.preparation import read_csv

    competition = Competition.bind(folder, data)
    raw = competition.raw_dir
    for place in (raw, competition.public_dir, competition.private_dir):
        place.mkdir(parents=True)
    shutil.copyfile(table.path, raw / table.path.name)
    competition.prepare_fn(raw, competition.public_dir, competition.private_dir)
    train, test = (read_csv(competition.public_dir / f"{part}.csv") for part in ("train", "test"))
    sample, answers = read_csv(competition.sample_submission), read_csv(competition.answers)
    _check_parts(table, form, train, answers)
    try:
        sample_score = competition.grader.score(sample, answers)
        best = competition.grader.score(answers, answers)
    except MLEBenchError as error:
        raise RawDataError(f"No task can be made of {table.path.name}: {error}") from error
    (folder / "brief.md").write_text(texts.brief(title, table, form, train, test, sample), encoding="utf-8")
    obfuscated = texts.obfuscated_brief(table, form, train, test, sample)
    words = code.telltale_words(competition.id, title, obfuscated)
    if any(word.casefold() in obfuscated.casefold() for word in (title, *words)):
        raise UsageError(
            f"The brief that names nothing cannot do without the title {title!r} or the id {competition.id!r}; "
            "choose others that tell more, with --title and as the folder's name."
        )
    (folder / "brief_obfuscated.md").write_text(obfuscated, encoding="utf-8")
    _declare(folder, competition.id, title, table, form, words, embed=competition.is_embedded)
    field = model_field(
        competition.grader, form, train, test, answers, table.target, lambda name: progress(f"fitting {name}")
    )
    rows = field or [(round(sample_score, 5), "the sample submission, since no simple model could be fitted")]
    _write_board(folder, rows)
    return len(train), len(test), round(sample_score, 5), rows[0][0] if field else best


def _check_parts(table: OwnTable, form: Form, train: pd.DataFrame, answers: pd.DataFrame) -> None:
    if not len(train) or not len(answers):
        raise RawDataError(f"The table {table.path.name} has too few rows for a split with that share of test rows.")
    if not form.classes:
        return
    lacking = set(map(str, form.classes)) - set(map(str, train[table.target].unique()))
    if not form.one_column_a_class and form.values.value == "probabilities":
        lacking |= set(map(str, form.classes)) - set(map(str, answers[table.target].unique()))
    if lacking:
        raise RawDataError(
            f"The class {sorted(lacking)[0]!r} of {table.target!r} is so rare that a part of the split has none of it; "
            "gather more rows of it, leave it out, or choose another --test-size."
        )


def _write_board(folder: Path, rows: list[tuple[float, str]]) -> None:
    for name, columns in (("leaderboard.csv", 1), ("model_field.csv", 2)):
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["score", "model"][:columns])
        writer.writerows([row[:columns] for row in rows])
        (folder / name).write_text(out.getvalue(), encoding="utf-8")
