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
from mlebench.tasks.split import Split

if TYPE_CHECKING:
    from pathlib import Path


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class KnownProblem(_Model):
    """A problem of a task that readers of its results should know."""

    kind: Literal["leak", "split", "metric", "leaderboard", "text"]
    versions: tuple[Version, ...] = (Version.V1,)
    """The versions that have the problem."""
    text: str
    """The problem, and its effect on results."""
    remedy: str | None = None
    """What v2 does about it, or would do."""


class AcceptedFinding(_Model):
    """A finding of `mlebench dev scan` that is understood; it becomes a note."""

    scanner: str
    """The name of the scanner, such as `order`."""
    file: str | None = None
    """The finding's file below `public`, or a pattern such as `train/*`; any file if missing."""
    column: str | None = None
    """The finding's column; any if missing."""
    reason: str
    versions: tuple[Version, ...] = (Version.V1,)
    """The versions in which it is accepted."""


class TaskMetric(_Model):
    """A metric that only this task has; its function is `grade` in the task's code."""

    name: str
    direction: Literal["minimize", "maximize"]
    range: tuple[float, float]


FITS = {
    "same": "the competition's own test set and metric",
    "close": "the same metric, data of the same kind",
    "loose": "other data or another metric, so medals are approximate",
    "void": "medals mean nothing",
}
"""How well scores compare with those on a leaderboard."""


class Comparison(_Model):
    """How well scores compare with those on the leaderboard."""

    fit: Literal["same", "close", "loose", "void"]
    """A key of `FITS`."""
    headline: bool = True
    """Whether the task counts in the headline of a report; False where the leaderboard is void or saturated."""

    @property
    def meaning(self) -> str:
        """What the fit means, in words."""
        return FITS[self.fit]

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.fit == "void" and self.headline:
            raise ValueError("a void leaderboard needs `headline: false`")
        return self


class Revision(_Model):
    """What a later version of a task changes: the fields that are given, also those given as null."""

    changes: str
    metric: str | TaskMetric | None = None
    submission: Shape | None = None
    prepare: str | None = None
    split: Split | None = None
    grade: str | None = None
    check: str | None = None
    check_with: str | None = None
    answers: str | None = None
    answer_table: str | None = None
    gold_submission: str | None = None
    sample_submission: str | None = None
    sample_score: float | None = None
    leaderboard: Comparison | None = None


class Declaration(_Model):
    """The content of `competition.yaml`: everything about a task that is not code, text or data.

    Examples
    --------
    >>> from mlebench import Registry
    >>> declaration = Registry().get_declaration("spaceship-titanic")
    >>> declaration.category, declaration.metric, declaration.submission.id
    ('Tabular', 'accuracy_score', 'PassengerId')
    """

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]*$")]
    title: str
    year: int
    category: str
    complexity: Literal["low", "medium", "high"] | None = None
    field: Literal["human", "models"] = "human"
    """Who is on the leaderboard: the teams of the competition, or fitted models."""
    leaderboard: Comparison | None = None
    """How well scores compare with those on the leaderboard; None where nobody has judged that."""
    metric: str | TaskMetric
    submission: Shape
    prepare: str = "prepare"
    """Name of the preparer in `task.py`."""
    split: Split | None = None
    """How rows are divided into train and test, for a preparer with an argument `split`."""
    grade: str | None = None
    """Name of a grade function in `task.py`, called with aligned data frames. Without it, the metric is applied to the
    target columns."""
    grade_gets: Literal["aligned", "as_read"] = "aligned"
    """Whether the grade function gets the submission aligned with the answers, or as it was read. The latter keeps
    quirks of v1 that alignment would undo. The check for agents demands the declared shape in both cases."""
    check: str | None = None
    """Name of a function in `task.py` that gets an aligned submission and raises InvalidSubmissionError for values of
    a wrong form. It never sees the answers, so agents may call it. Without `grade`, grading begins with it."""
    check_with: str | None = None
    """A public table that `check` gets as its second argument, with the ids of the sample submission or its rows in
    order: for tasks that check some rows only, or by row."""
    raw: str | None = None
    """Name of a function in `task.py` that makes the raw data on this machine (embedded competitions)."""
    answers: str = "private/test.csv"
    answer_table: str | None = None
    """Name of a function in `task.py` that makes a table, with the ids of a submission, from the objects of a `.jsonl`
    file of answers."""
    gold_submission: str | None = None
    sample_submission: str = "public/sample_submission.csv"
    sample_score: float | None = None
    """Score of the sample submission on the real data."""
    size_gb: float | None = None
    """Size of the download in GB (10^9 bytes)."""
    extras: tuple[TaskExtra, ...] = ()
    """Extras of mlebench that preparing needs."""
    known_problems: tuple[KnownProblem, ...] = ()
    accepted_findings: tuple[AcceptedFinding, ...] = ()
    """Findings of `mlebench dev scan` that are understood, with reasons."""
    telltale_words: tuple[str, ...] = ()
    """Words that identify the task, and so are forbidden in the obfuscated brief."""
    versions: dict[Version, Revision] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if Version.V1 in self.versions:
            raise ValueError("v1 is the declaration itself; list later versions only")
        if isinstance(self.metric, TaskMetric) and self.grade is None:
            raise ValueError("a metric that is an object needs `grade`, the name of its function in task.py")
        if self.check_with and self.grade is None:
            raise ValueError("`check_with` needs `grade`: a metric cannot pass that table to the check")
        return self

    @classmethod
    def read(cls, path: Path) -> Declaration:
        """Read a `competition.yaml`; DeclarationError names the field that is wrong."""
        return read_declaration(path, cls)

    def at(self, version: Version) -> Declaration:
        """Return the declaration of one version; UnknownNameError if the task does not have it."""
        if version is Version.V1:
            return self
        if version not in self.versions:
            raise UnknownNameError(f"version of {self.id}", version, [Version.V1, *self.versions])
        revision = self.versions[version]
        changed = {name: getattr(revision, name) for name in revision.model_fields_set - {"changes"}}
        submission = (revision.submission or self.submission).without_quirks()
        common = {"submission": submission, "grade_gets": "aligned", "sample_score": None}
        return self.model_copy(update={**common, **changed, "submission": submission})

    @property
    def resolved_metric(self) -> Metric:
        """The metric as an object."""
        if isinstance(self.metric, str):
            return get_metric(self.metric)
        return Metric(self.metric.name, self.metric.direction == "minimize", self.metric.range)
