"""The battery: what must hold for every competition, tried on one folder.

`mlebench dev check-task FOLDER` prints what `problems_of` returns. In a test, write
`assert problems_of(folder, tmp_path) == []`. The tests of the built-in competitions call the checks one by one.

checks       the checks; each yields the problems that it finds
corruptions  submissions that are invalid on purpose
prepared     a prepared competition with its sample submission and right answers
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.battery.checks import (
    check_briefs,
    check_files,
    check_grading,
    check_leaderboard,
    check_public_files,
    check_rehearsal,
    check_repeatability,
)
from mlebench.battery.prepared import PreparedTask
from mlebench.data import prepare
from mlebench.errors import MLEBenchError
from mlebench.tasks.competition import Competition
from mlebench.tasks.ref import Version

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def problems_of(folder: Path, scratch: Path) -> list[str]:
    """Return the problems of a competition's folder, one sentence each; empty if there are none.

    Every version is prepared twice, from embedded data or from `rehearsal.zip`, and graded.

    Parameters
    ----------
    folder : Path
        A folder with `competition.yaml`.
    scratch : Path
        An empty folder for the prepared data.
    """
    if missing := list(check_files(folder)):
        return missing
    problems = []
    try:
        for problem in _find_problems(folder, scratch):
            problems.append(problem)
    except MLEBenchError as error:  # the remaining checks need what failed
        problems.append(str(error))
    return problems


def _find_problems(folder: Path, scratch: Path) -> Iterator[str]:
    v1 = Competition.bind(folder, scratch / "first")
    for check in (check_leaderboard, check_rehearsal):
        yield from check(v1)
    for version in [Version.V1, *(v1.declaration.versions if v1.declaration else ())]:
        first, second = (Competition.bind(folder, scratch / name, version) for name in ("first", "second"))
        for competition in (first, second):
            prepare(competition, rehearsal=not competition.is_embedded)
        task = PreparedTask(first, scratch / "submission.csv")
        for problems in (
            check_briefs(first),
            check_repeatability(first, second),
            check_public_files(task),
            check_grading(task),
        ):
            yield from (f"{first.label}: {problem}" for problem in problems)
