"""mlebench: an offline Kaggle that measures how well AI agents do machine-learning engineering.

    >>> from mlebench.registry import registry
    >>> registry.get_competition("spaceship-titanic").name
    'Spaceship Titanic'

The names below are the public Python interface; each is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mlebench.competition import Competition, Declaration, Version
    from mlebench.data import is_dataset_prepared, prepare
    from mlebench.errors import InvalidSubmissionError, MLEBenchError
    from mlebench.grade import check_submission, grade_csv, grade_jsonl, judge, validate_submission
    from mlebench.grader import Grader
    from mlebench.medals import Leaderboard, Medal
    from mlebench.registry import Registry
    from mlebench.reports import CompetitionReport, Outcome, Verdict

__version__ = "0.1.0"

_HOMES = {
    "competition": ("Competition", "Declaration", "Version"),
    "data": ("is_dataset_prepared", "prepare"),
    "errors": ("InvalidSubmissionError", "MLEBenchError"),
    "grade": ("check_submission", "grade_csv", "grade_jsonl", "judge", "validate_submission"),
    "grader": ("Grader",),
    "medals": ("Leaderboard", "Medal"),
    "registry": ("Registry",),
    "reports": ("CompetitionReport", "Outcome", "Verdict"),
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
