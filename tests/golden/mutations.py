"""Submissions made from golden ones by small changes, and what pandas 2.2 makes of them.

`python -m tests.golden.mutations` records the outcomes in `mutations.json`. Run it with pandas 2.2, and only when a
mutation is added: outcomes that change break version v1.
"""

from __future__ import annotations

import csv
import io
import json
import random
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import InvalidSubmissionError
from mlebench.grading.answers import load_answers
from mlebench.grading.intake import Allowance, parse_submission
from mlebench.tasks.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mlebench.tasks.competition import Competition

    Table = list[list[str]]
    Mutation = Callable[[Table, list[int], random.Random], Table | str]

HERE = Path(__file__).parent
RECORD = HERE / "mutations.json"
IDS = [path.parent.name for path in sorted(HERE.glob("*/golden.json"))]
BASES = ("noisy", "perfect", "sample")
"""Golden submissions to change, the best one first."""
CELLS = (
    "", "nan", "inf", "-inf", "1e309", "-1e309", "1e308", "1e-400", "99999999999999999999", "9223372036854775808",
    "-9223372036854775808", "0.30000000000000004", "1_0", "\uff11", "1\xa0", " 1 ", "+1", "01", "1.0", "0x1", "True",
    "TRUE", "text", "-1", "2",
)  # fmt: skip
"""Cells that replace the first value to predict, the last one, or all of them."""
NEVER_A_MEDAL = ("", "nan", "inf", "-inf", "1e309", "-1e309", "1e308", "-1")


def replaced(cell: str, rows: Callable[[int], range]) -> Mutation:
    def mutate(table: Table, targets: list[int], _: random.Random) -> Table:
        for row in rows(len(table)):
            for place in targets:
                table[row][place] = cell
        return table

    return mutate


def shuffled(table: Table, _: list[int], rng: random.Random) -> Table:
    body = table[1:]
    rng.shuffle(body)
    return [table[0], *body]


def with_columns_swapped(table: Table, *_: Any) -> Table:
    return [[row[-1], *row[1:-1], row[0]] for row in table]


def with_values_swapped(table: Table, targets: list[int], _: random.Random) -> Table:
    for place in targets:
        table[1][place], table[-1][place] = table[-1][place], table[1][place]
    return table


def with_column(cell: str) -> Mutation:
    return lambda table, *_: [[*row, cell if number else "surplus"] for number, row in enumerate(table)]


def with_first_ids(change: Callable[[str], str]) -> Mutation:
    def mutate(table: Table, _: list[int], __: random.Random) -> Table:
        table[1][0] = change(table[1][0])
        return table

    return mutate


def as_text(**options: Any) -> Mutation:
    def mutate(table: Table, *_: Any) -> str:
        out = io.StringIO()
        csv.writer(out, **options).writerows(table)
        return out.getvalue()

    return mutate


MUTATIONS: dict[str, Mutation] = {
    "first row dropped": lambda table, *_: [table[0], *table[2:]],
    "last row dropped": lambda table, *_: table[:-1],
    "only the first row": lambda table, *_: table[:2],
    "first row doubled": lambda table, *_: [table[0], table[1], *table[1:]],
    "last row doubled": lambda table, *_: [*table, table[-1]],
    "last row replaced by the first": lambda table, *_: [*table[:-1], table[1]],
    "shuffled": shuffled,
    "reversed": lambda table, *_: [table[0], *table[:0:-1]],
    "columns swapped": with_columns_swapped,
    "values swapped": with_values_swapped,
    "surplus numbers": with_column("0"),
    "surplus blanks": with_column(""),
    "surplus text": with_column("x"),
    "surplus cells without a name": lambda table, *_: [table[0], *([*row, "1"] for row in table[1:])],
    "last cell of the first row missing": lambda table, *_: [table[0], table[1][:-1], *table[2:]],
    "id blank": with_first_ids(lambda _: ""),
    "id with a blank": with_first_ids(lambda id: f"{id} "),
    "id as a fraction": with_first_ids(lambda id: f"{id}.0"),
    "id too large": with_first_ids(lambda _: "99999999999999999999"),
    "all in quotes": as_text(quoting=csv.QUOTE_ALL),
    "windows line ends": as_text(lineterminator="\r\n"),
    "old mac line ends": as_text(lineterminator="\r"),
    "blank lines": as_text(lineterminator="\n\n"),
    **{f"first value {cell!r}": replaced(cell, lambda rows: range(1, min(2, rows))) for cell in CELLS},
    **{f"last value {cell!r}": replaced(cell, lambda rows: range(rows - 1, rows)) for cell in CELLS[3:12]},
    **{f"every value {cell!r}": replaced(cell, lambda rows: range(1, rows)) for cell in CELLS},
}


def outcomes(competition_id: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the score of each mutation of a competition's submission, or `invalid`."""
    competition, answers, table = golden(competition_id, folder)
    names = set(competition.declaration.submission.target_names(parse(table)))
    targets = [place for place, name in enumerate(table[0]) if name in names] or [len(table[0]) - 1]
    for name, mutate in MUTATIONS.items():
        mutated = mutate([row.copy() for row in table], targets, random.Random(name))
        try:
            score = competition.grader.score(parse(mutated), answers)
        except InvalidSubmissionError:
            yield name, "invalid"
        else:
            yield name, repr(round(score, 5))


def golden(competition_id: str, folder: Path) -> tuple[Competition, Any, Table]:
    """Return a competition, its golden answers and the submission that is changed."""
    competition = Registry(folder).get_competition(competition_id)
    with zipfile.ZipFile(HERE / competition_id / "private.zip") as private:
        answers = load_answers(Path(private.extract(competition.answers.name, folder)))
    paths = (HERE / competition_id / "submissions" / f"{name}.csv" for name in BASES)
    path = next(path for path in paths if path.exists())
    return competition, answers, list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


def parse(table: Table | str) -> Any:
    text = table if isinstance(table, str) else as_text(lineterminator="\n")(table, [], random.Random(0))
    assert isinstance(text, str)
    return parse_submission(text.encode(), Allowance())


def main() -> None:
    lines = [f'"mutations": {json.dumps(list(MUTATIONS))}']
    for competition_id in IDS:
        with tempfile.TemporaryDirectory() as folder:
            found = dict(outcomes(competition_id, Path(folder)))
        lines.append(f"{json.dumps(competition_id)}: {json.dumps(list(found.values()))}")
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
