"""The declaration and the code of a task made of a table."""

from __future__ import annotations

import json
import pprint
import re
import textwrap
from typing import TYPE_CHECKING, Any

import yaml

from mlebench.tasks.values import Values

if TYPE_CHECKING:
    from mlebench.authoring.task.forms import Form
    from mlebench.authoring.task.table import OwnTable

TEST = '''"""The battery that every competition must pass; run it with: python -m pytest"""

from pathlib import Path

from mlebench.battery import problems_of


def test_task(tmp_path):
    assert problems_of(Path(__file__).parent, tmp_path) == []
'''


def declaration(
    task_id: str, title: str, table: OwnTable, form: Form, words: list[str], *, year: int, embedded: bool
) -> str:
    """Return the text of `competition.yaml`; `words` give the task away."""
    submission: dict[str, Any] = {
        "id": table.id_name,
        "targets": list(form.classes) if form.one_column_a_class else [table.target],
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
    facts["telltale_words"] = words
    return yaml.safe_dump(facts, sort_keys=False, allow_unicode=True, width=110)


def telltale_words(task_id: str, title: str, obfuscated: str) -> list[str]:
    """Return the words of the name that the obfuscated brief may not hold: those that it does not hold by itself."""
    shown = obfuscated.casefold()
    words = dict.fromkeys(re.findall(r"\w{4,}", f"{task_id.replace('-', ' ')} {title}".casefold()))
    return [word for word in words if word not in shown] or [task_id]


def code(title: str, table: OwnTable, form: Form, test_size: float, *, embedded: bool) -> str:
    """Return the text of `task.py`."""
    steps = ["read_csv", "train_test_split", "write_csv"]
    steps += ["place_files"] if embedded else []
    steps += ["number_shuffled"] if table.id is None else []
    steps += ["one_hot"] if form.one_column_a_class else []
    parts = [
        f'"""{_in_docstring(title)}: a table of our own, split at random."""\n',
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
            '    """The table comes along, in the folder `data` beside this file."""\n'
            '    place_files([TABLE], Path(__file__).parent / "data", raw)\n\n'
        )
    parts.append(_preparer(table, form))
    if form.values is Values.LABELS:
        parts.append(_check())
    return "\n".join(parts)


def _preparer(table: OwnTable, form: Form) -> str:
    read = "read_csv(raw / TABLE)"
    rows = f"number_shuffled({read})" if table.id is None else read
    lines = [f"rows = {rows}"]
    if form.one_column_a_class:
        lines.append("rows[TARGET] = rows[TARGET].astype(str)  # as columns are named")
    lines.append("train, test = train_test_split(rows, TEST_SIZE)")
    lines.append('write_csv(train, public / "train.csv")')
    lines.append('write_csv(test.drop(columns=TARGET), public / "test.csv")')
    if form.one_column_a_class:
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


def _check() -> str:
    return (
        "\ndef check(submission: pd.DataFrame) -> None:\n"
        '    """Refuse labels that are no class; agents may call this, so it never sees the answers."""\n'
        "    unknown = ~submission[TARGET].isin(CLASSES)\n"
        "    if unknown.any():\n"
        "        row = int(unknown.to_numpy().argmax()) + 1\n"
        '        raise InvalidSubmissionError(f"The value of column {TARGET!r} in row {row} is none of the classes.")\n'
    )


def _in_docstring(text: str) -> str:
    return text.replace("\\", "").replace('"', "'")
