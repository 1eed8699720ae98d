"""mlebench: an offline Kaggle that measures how well AI agents do machine-learning engineering.

    >>> from mlebench.registry import registry
    >>> registry.get_competition("spaceship-titanic").name
    'Spaceship Titanic'

The names below are the public Python interface; each is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from mlebench.ground.version import __version__

if TYPE_CHECKING:
    from mlebench.data import is_dataset_prepared, prepare
    from mlebench.errors import InvalidSubmissionError, MLEBenchError
    from mlebench.grade import check_submission, grade_csv, grade_jsonl, judge, validate_submission
    from mlebench.grading.reports import CompetitionReport, Outcome, Verdict
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.declaration import Declaration
    from mlebench.tasks.grader import Grader
    from mlebench.tasks.medals import Leaderboard, Medal
    from mlebench.tasks.ref import Version
    from mlebench.tasks.registry import Registry

_HOMES = {
    "data": ("is_dataset_prepared", "prepare"),
    "errors": ("InvalidSubmissionError", "MLEBenchError"),
    "grade": ("check_submission", "grade_csv", "grade_jsonl", "judge", "validate_submission"),
    "grading.reports": ("CompetitionReport", "Outcome", "Verdict"),
    "tasks.competition": ("Competition",),
    "tasks.declaration": ("Declaration",),
    "tasks.grader": ("Grader",),
    "tasks.medals": ("Leaderboard", "Medal"),
    "tasks.ref": ("Version",),
    "tasks.registry": ("Registry",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Competition",
    "CompetitionReport",
    "Declaration",
    "Grader",
    "InvalidSubmissionError",
    "Leaderboard",
    "MLEBenchError",
    "Medal",
    "Outcome",
    "Registry",
    "Verdict",
    "Version",
    "__version__",
    "check_submission",
    "grade_csv",
    "grade_jsonl",
    "is_dataset_prepared",
    "judge",
    "prepare",
    "validate_submission",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'mlebench' has no attribute {name!r}")
    return getattr(importlib.import_module(f"mlebench.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
