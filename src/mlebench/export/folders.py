"""The folder of one competition in an exported tree."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import yaml

from mlebench.export.core import NAME, rename_imports

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.tasks.competition import Competition
    from mlebench.tasks.declaration import Declaration

PREPARE = '''\
"""Prepare the data of {id}; task.py beside this file does the work."""

from pathlib import Path
{import_split}
from . import task


def prepare(raw: Path, public: Path, private: Path) -> None:
    """Write the files for agents to `public` and the answers to `private`."""
    task.{prepare}(Path(raw), Path(public), Path(private){split})
'''

GRADE = '''\
"""Grade submissions to {id}."""

from {core}.metrics import Metric
from {core}.tasks.grader import Grader
from {core}.tasks.shape import Match, Shape
from {core}.tasks.values import Values
{import_task}
SHAPE = Shape(
{shape}
)
GRADER = Grader.declared(
    {metric},
    SHAPE,
    {function},
    exact=False,
    as_read={as_read},
    tabulate={tabulate},
    check={check},
)


def grade(submission, answers):
    """Return the score; raise InvalidSubmissionError for an invalid submission."""
    return GRADER.score(submission, answers)
'''


def write_competition(competition: Competition, target: Path) -> None:
    """Write version v1 of a competition into the new folder `target`, without the carried code."""
    declared, folder = competition.declaration, competition.folder
    assert declared is not None
    assert folder is not None
    target.mkdir(parents=True)
    config = yaml.safe_dump(_config(declared), sort_keys=False, allow_unicode=True)
    code = rename_imports((folder / "task.py").read_text(encoding="utf-8"))
    for name, text in (
        ("config.yaml", config),
        ("description.md", competition.description),
        ("prepare.py", prepare_module(declared)),
        ("grade.py", grade_module(declared)),
        ("task.py", code),
    ):
        (target / name).write_text(text, encoding="utf-8")
    for path in (competition.leaderboard, competition.checksums):
        if path.is_file():
            shutil.copyfile(path, target / path.name)


def _config(declared: Declaration) -> dict[str, Any]:
    place, module = f"{declared.id}/prepared", f"mlebench.competitions.{declared.id}"
    files = {"answers": declared.answers, "sample_submission": declared.sample_submission}
    if declared.gold_submission:
        files["gold_submission"] = declared.gold_submission
    return {
        "id": declared.id,
        "name": declared.title,
        "competition_type": "simple",
        "description": f"mlebench/competitions/{declared.id}/description.md",
        "dataset": {name: f"{place}/{path}" for name, path in files.items()},
        "grader": {"name": declared.resolved_metric.name, "grade_fn": f"{module}.grade:grade"},
        "preparer": f"{module}.prepare:prepare",
    }


def prepare_module(declared: Declaration) -> str:
    """Return the source of `prepare.py`, with the split that the preparer gets, if it gets one."""
    fields = ", ".join(f"{name}={value!r}" for name, value in declared.split or ())
    return PREPARE.format(
        id=declared.id,
        prepare=declared.prepare,
        import_split=f"\nfrom {NAME}.tasks.split import Split\n" if declared.split else "",
        split=f", split=Split({fields})" if declared.split else "",
    )


def grade_module(declared: Declaration) -> str:
    """Return the source of `grade.py`: the shape and the metric of a competition, and the functions of its task."""
    metric = declared.resolved_metric
    low, high = (f'float("{bound}")' for bound in metric.range)
    functions = (declared.grade, declared.answer_table, declared.check)
    function, tabulate, check = (f"task.{name}" if name else "None" for name in functions)
    return GRADE.format(
        id=declared.id,
        core=NAME,
        import_task="\nfrom . import task\n" if any(functions) else "",
        shape="\n".join(f"    {name}={_literal(value)}," for name, value in declared.submission),
        metric=f"Metric({metric.name!r}, {metric.lower_is_better}, ({low}, {high}), {metric.family!r})",
        function=function,
        as_read=declared.grade_gets == "as_read",
        tabulate=tabulate,
        check=check,
    )


def _literal(value: Any) -> str:
    """Return a field of a shape as Python; `grade.py` imports the enumerations."""
    kind = type(value).__name__
    return f'{kind}("{value}")' if kind in ("Match", "Values") else repr(value)
