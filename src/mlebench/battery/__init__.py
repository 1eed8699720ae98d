"""What must hold for every competition, tried on one folder: for authors of tasks outside this package.

`mlebench dev check-task FOLDER` prints what `problems_of` returns; a test says
`assert problems_of(folder, tmp_path) == []`. The tests of the built-in competitions use the parts, and ask for more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.battery.checks import (
    of_folder,
    of_grading,
    of_leaderboard,
    of_preparation,
    of_public_files,
    of_rehearsal,
    of_texts,
)
from mlebench.battery.material import Material
from mlebench.data import prepare
from mlebench.errors import MLEBenchError
from mlebench.tasks.competition import Competition
from mlebench.tasks.ref import Version

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def problems_of(folder: Path, scratch: Path) -> list[str]:
    """Try a competition's folder and return what is wrong with it, a sentence each; none if all is well.

    Data are prepared below the empty folder `scratch`, embedded ones or those of `rehearsal.zip`, in every version.
    """
    if lacking := list(of_folder(folder)):
        return lacking
    try:
        return list(_problems(folder, scratch))
    except MLEBenchError as error:
        return [str(error)]


def _problems(folder: Path, scratch: Path) -> Iterator[str]:
    first = Competition.bind(folder, scratch / "first")
    for check in (of_leaderboard, of_rehearsal, of_texts):
        yield from check(first)
    for version in [Version.V1, *(first.declaration.versions if first.declaration else ())]:
        competition, again = (Competition.bind(folder, scratch / name, version) for name in ("first", "again"))
        for each in (competition, again):
            prepare(each, rehearsal=not each.is_embedded)
        material = Material(competition, scratch / "submission.csv")
        for problems in (of_preparation(competition, again), of_public_files(material), of_grading(material)):
            for problem in problems:
                yield f"{competition.label}: {problem}"
