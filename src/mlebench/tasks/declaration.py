"""The content of `competition.yaml`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from mlebench.errors import UnknownNameError
from mlebench.ground.declarations import read_declaration
from mlebench.ground.extras import TaskExtra
from mlebench.metrics import Metric, get_metric
from mlebench.tasks.ref import Version
from mlebench.tasks.shape import Shape

if TYPE_CHECKING:
    from pathlib import Path


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class KnownProblem(_Model):
    """Something wrong with a task that a reader of its results should know."""

    kind: Literal["leak", "split", "metric", "leaderboard", "text"]
    versions: tuple[Version, ...] = (Version.V1,)
    """The versions that have the problem."""
    text: str
    """What it is and what it does to results."""
    remedy: str | None = None
    """What v2 does, or would do, about it."""


class TaskMetric(_Model):
    """A metric that only this task has; its function is `grade` in the task's code."""

    name: str
    direction: Literal["minimize", "maximize"]
    range: tuple[float, float]


class Revision(_Model):
    """What a later version of a task does differently; what is not named stays as it is."""

    changes: str
    metric: str | TaskMetric | None = None
    submission: Shape | None = None
    prepare: str | None = None
    grade: str | None = None
    grade_gets: Literal["aligned", "as_read"] | None = None


class Declaration(_Model):
    """The content of `competition.yaml`: everything about a task that is not code, text or data."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]*$")]
    title: str
    year: int
    category: str
    complexity: Literal["low", "medium", "high"] | None = None
    field: Literal["human", "models"] = "human"
    """Who stands on the leaderboard: the teams of the competition, or a field of fitted models."""
    metric: str | TaskMetric
    submission: Shape
    prepare: str = "prepare"
    """Name of the preparer in `task.py`."""
    grade: str | None = None
    """Name of a grade function in `task.py`, called with aligned frames; without it the metric is applied
    to the target columns."""
    grade_gets: Literal["aligned", "as_read"] = "aligned"
    """Whether the grade function gets the submission aligned to the answers, or as it was read: a quirk of v1 that
    alignment would undo. Agents that ask are told to keep to the shape in either case."""
    check: str | None = None
    """Name of a function in `task.py` that gets an aligned submission and raises for values of a wrong form;
    it never sees the answers, so agents may call it. Where there is no `grade`, grading begins with it."""
    check_with: str | None = None
    """A public table, row by row that of the sample or with its ids, that `check` gets as its second argument: for
    tasks that look at some rows only, or where what is allowed depends on the row."""
    raw: str | None = None
    """Name of a function in `task.py` that makes the raw data on this machine, for embedded competitions."""
    answers: str = "private/test.csv"
    answer_table: str | None = None
    """Name of a function in `task.py` that makes a table with the ids of a submission out of the objects of a `.jsonl`
    answers file, which come one by one."""
    gold_submission: str | None = None
    sample_submission: str = "public/sample_submission.csv"
    sample_score: float | None = None
    """Score of the sample submission on the real data."""
    size_gb: float | None = None
    """Size of the raw data to download."""
    extras: tuple[TaskExtra, ...] = ()
    """Optional dependencies of mlebench that preparing needs."""
    known_problems: tuple[KnownProblem, ...] = ()
    telltale_words: tuple[str, ...] = ()
    """Words that would give the task away and so may not stand in the obfuscated brief."""
    versions: dict[Version, Revision] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if Version.V1 in self.versions:
            raise ValueError("v1 is what the declaration itself says; only later versions are listed")
        if isinstance(self.metric, TaskMetric) and self.grade is None:
            raise ValueError("a metric of the task's own needs `grade`, the name of its function in task.py")
        if self.check_with and self.grade is None:
            raise ValueError("`check_with` needs `grade`, since a metric alone cannot hand that table to the check")
        return self

    @classmethod
    def read(cls, path: Path) -> Declaration:
        """Read a `competition.yaml`."""
        return read_declaration(path, cls)

    def at(self, version: Version) -> Declaration:
        """Return the declaration of one version, with the revision's fields in place."""
        if version is Version.V1:
            return self
        if version not in self.versions:
            raise UnknownNameError(f"version of {self.id}", version, [Version.V1, *self.versions])
        revision = self.versions[version]
        changed = {
            name: value
            for name in ("metric", "submission", "prepare", "grade", "grade_gets")
            if (value := getattr(revision, name)) is not None
        }
        return self.model_copy(update=changed)

    @property
    def resolved_metric(self) -> Metric:
        if isinstance(self.metric, str):
            return get_metric(self.metric)
        return Metric(self.metric.name, self.metric.direction == "minimize", self.metric.range)
