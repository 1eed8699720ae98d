"""The declaration and the code of a task made from a table."""

from __future__ import annotations

import json
import pprint
import re
import textwrap
from typing import TYPE_CHECKING, Any

import yaml

from mlebench.tasks.values import Values

if TYPE_CHECKING:
    from mlebench.authoring.task.form import Form
    from mlebench.authoring.task.table import Table

TEST = '''"""The checks that every competition must pass. Run them with: python -m pytest"""

from pathlib import Path

from mlebench.battery import problems_of


def test_task(tmp_path):
    assert problems_of(Path(__file__).parent, tmp_path) == []
'''


def declaration_text(
    task_id: str, title: str, table: Table, form: Form, telltale_words: list[str], *, year: int, embedded: bool
) -> str:
    """Return the text of `competition.yaml`.

    Parameters
    ----------
    task_id, title : str
        Id and title of the competition.
    table : Table
        The table that the task is made from.
    form : Form
        The form of a submission.
    telltale_words : list of str
        Words that would give the task away in the obfuscated brief.
    year : int
        The year of the task.
    embedded : bool
        Whether the table is copied into the task's folder.
    """
    submission: dict[str, Any] = {
        "id": table.id_name,
        "targets": list(form.classes) if form.has_column_per_class else [table.target],
        "values": form.values.value,
    }
    facts: dict[str, Any] = {
        "id": task_id,
        "title": title,
        "year": year,
        "category": "Tabular",
        "field": "models",
        "metric": form.metric.name,
        "submission": submission,
    }
    if embedded:
        facts["raw"] = "make_raw"
    if form.values is Values.LABELS:
        facts["check"] = "check"
    facts["telltale_words"] = telltale_words
    return yaml.safe_dump(facts, sort_keys=False, allow_unicode=True, width=110)


def find_telltale_words(task_id: str, title: str, obfuscated_brief: str) -> list[str]:
    """Return the words of the id and the title that the obfuscated brief does not contain by itself."""
    brief = obfuscated_brief.casefold()
    words = dict.fromkeys(re.findall(r"\w{4,}", f"{task_id.replace('-', ' ')} {title}".casefold()))
    return [word for word in words if word not in brief] or [task_id]


def task_text(title: str, table: Table, form: Form, test_size: float, *, embedded: bool) -> str:
    """Return the text of `task.py`.

    Parameters
    ----------
    title : str
        Title of the competition.
    table : Table
        The table that the task is made from.
    form : Form
        The form of a submission.
    test_size : float
        Share of the rows in the test set.
    embedded : bool
        Whether the table is copied into the task's folder.
    """
    steps = ["read_csv", "train_test_split", "write_csv"]
    steps += ["place_files"] if embedded else []
    steps += ["number_shuffled"] if table.id is None else []
    steps += ["one_hot"] if form.has_column_per_class else []
    parts = [
        f'"""{_escape_docstring(title)}: one table, split at random."""\n',
        "from pathlib import Path\n",
    ]
    if form.values is Values.LABELS:
        parts += ["import pandas as pd\n", "from mlebench.errors import InvalidSubmissionError"]
    parts.append(f"from mlebench.preparation import {', '.join(sorted(steps))}\n")
    parts.append(
        "\n".join(
            f"{name} = {json.dumps(value, ensure_ascii=False)}"
            for name, value in (("TABLE", table.path.name), ("ID", table.id_name), ("TARGET", table.target))
        )
    )
    if form.values in (Values.LABELS, Values.DISTRIBUTION):
        parts.append(f"CLASSES = {pprint.pformat(list(form.classes), width=110, compact=True)}")
    parts.append(f"TEST_SIZE = {test_size!r}\n\n")
    if embedded:
        parts.append(
            "def make_raw(raw: Path) -> None:\n"
            '    """Copy the table from the folder `data` beside this file."""\n'
            '    place_files([TABLE], Path(__file__).parent / "data", raw)\n\n'
        )
    parts.append(_preparer_text(table, form))
    if form.values is Values.LABELS:
        parts.append(_check_text())
    return "\n".join(parts)


def _preparer_text(table: Table, form: Form) -> str:
    read = "read_csv(raw / TABLE)"
    rows = f"number_shuffled({read})" if table.id is None else read
    lines = [f"rows = {rows}"]
    if form.has_column_per_class:
        lines.append("rows[TARGET] = rows[TARGET].astype(str)  # column names are text")
    lines.append("train, test = train_test_split(rows, TEST_SIZE)")
    lines.append('write_csv(train, public / "train.csv")')
    lines.append('write_csv(test.drop(columns=TARGET), public / "test.csv")')
    if form.has_column_per_class:
        lines += [
            "answers = one_hot(test, ID, TARGET, CLASSES)",
            "guess = answers.assign(**{name: 1 / len(CLASSES) for name in CLASSES})",
        ]
    else:
        guess = {
            Values.PROBABILITIES: "0.5",
            Values.LABELS: "train[TARGET].mode()[0]",
            Values.NUMBERS: "round(train[TARGET].mean(), 6)",
        }[form.values]
        lines += ["answers = test[[ID, TARGET]]", f"guess = answers.assign(**{{TARGET: {guess}}})"]
    lines += ['write_csv(guess, public / "sample_submission.csv")', 'write_csv(answers, private / "test.csv")']
    head = "def prepare(raw: Path, public: Path, private: Path) -> None:\n"
    return head + textwrap.indent("\n".join(lines), "    ") + "\n"


def _check_text() -> str:
    return (
        "\ndef check(submission: pd.DataFrame) -> None:\n"
        '    """Refuse labels that are not classes. Agents may call this, so it never sees the answers."""\n'
        "    unknown = ~submission[TARGET].isin(CLASSES)\n"
        "    if unknown.any():\n"
        "        row = int(unknown.to_numpy().argmax()) + 1\n"
        '        raise InvalidSubmissionError(f"The value of column {TARGET!r} in row {row} is not a class.")\n'
    )


def _escape_docstring(text: str) -> str:
    return text.replace("\\", "").replace('"', "'")
