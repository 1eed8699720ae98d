"""What a competition is: its declaration (`competition.yaml`), and the same bound to a data directory."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from mlebench.declarations import read_declaration
from mlebench.errors import DeclarationError, UnknownNameError
from mlebench.extras import Extra
from mlebench.grader import Grader
from mlebench.loading import LazyFunction
from mlebench.medals import Leaderboard
from mlebench.metrics import Metric, get_metric
from mlebench.submission import Shape

PrepareFunction = Callable[[Path, Path, Path], object]
"""Called with the folders `raw`, `public` and `private`; fills the last two and leaves the first as it is."""


class Version(StrEnum):
    """`v1` is the reference's task to the byte, quirks included; `v2` is the corrected task."""

    V1 = "v1"
    V2 = "v2"


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
    extras: tuple[Extra, ...] = ()
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


@dataclass(frozen=True)
class Competition:
    """A task bound to a data directory: what to read, where its files lie, how it is prepared and graded."""

    id: str
    name: str
    description: str
    competition_type: str
    grader: Grader
    answers: Path
    gold_submission: Path
    sample_submission: Path
    raw_dir: Path
    private_dir: Path
    public_dir: Path
    checksums: Path
    leaderboard: Path
    prepare_fn: PrepareFunction
    declaration: Declaration | None = None
    folder: Path | None = None
    """Where the task's code, texts and leaderboard lie."""
    version: Version = Version.V1
    check: Callable[..., None] | None = None

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Competition:
        """Build a competition from its fields; raises ValueError when one is missing."""
        required = [
            field.name
            for field in dataclasses.fields(cls)
            if field.default is dataclasses.MISSING and field.name != "gold_submission"
        ]
        missing = [name for name in required if name not in data]
        if missing:
            raise DeclarationError(f"A competition needs the fields {', '.join(missing)}.")
        values = {field.name: data[field.name] for field in dataclasses.fields(cls) if field.name in data}
        values.setdefault("gold_submission", values["answers"])
        if isinstance(values["grader"], dict):
            values["grader"] = Grader.from_dict(values["grader"])
        return cls(**values)

    @classmethod
    def bind(cls, folder: Path, data_dir: Path, version: Version = Version.V1) -> Competition:
        """Read the task in `folder` and bind it to `data_dir`; the data need not be there."""
        declared = Declaration.read(folder / "competition.yaml").at(version)
        home = data_dir / declared.id
        prepared = home / ("prepared" if version is Version.V1 else f"prepared-{version}")
        answers = prepared / declared.answers
        code = folder / "task.py"
        check = LazyFunction(code, declared.check) if declared.check else None
        return cls(
            id=declared.id,
            name=declared.title,
            description=(folder / "brief.md").read_text(encoding="utf-8"),
            competition_type="simple",
            grader=Grader.declared(
                declared.resolved_metric,
                declared.submission,
                LazyFunction(code, declared.grade) if declared.grade else None,
                exact=version is not Version.V1,
                as_read=declared.grade_gets == "as_read",
                tabulate=LazyFunction(code, declared.answer_table) if declared.answer_table else None,
                check=check,
            ),
            answers=answers,
            gold_submission=prepared / declared.gold_submission if declared.gold_submission else answers,
            sample_submission=prepared / declared.sample_submission,
            raw_dir=home / "raw",
            private_dir=prepared / "private",
            public_dir=prepared / "public",
            checksums=folder / "checksums.yaml",
            leaderboard=folder / "leaderboard.csv",
            prepare_fn=LazyFunction(code, declared.prepare),
            declaration=declared,
            folder=folder,
            version=version,
            check=check,
        )

    @property
    def prepared_dir(self) -> Path:
        return self.public_dir.parent

    @property
    def label(self) -> str:
        """The id, with the version where it is not v1."""
        return self.id if self.version is Version.V1 else f"{self.id}@{self.version}"

    @property
    def is_embedded(self) -> bool:
        """Whether the raw data are made on this machine."""
        return self.declaration is not None and self.declaration.raw is not None

    @functools.cached_property
    def standings(self) -> Leaderboard:
        """The private leaderboard, in the declared direction."""
        return Leaderboard.read(self.leaderboard, lower_is_better=self.lower_is_better)

    @functools.cached_property
    def lower_is_better(self) -> bool:
        """The metric's direction; the leaderboard's for a grader that has no metric."""
        if self.grader.metric is not None:
            return self.grader.metric.lower_is_better
        scores = Leaderboard.read(self.leaderboard, lower_is_better=False).scores
        return scores[0] < scores[-1]

    def brief(self, *, obfuscated: bool = False) -> str:
        """Return the task's text for an agent."""
        if not obfuscated or self.folder is None:
            return self.description
        return (self.folder / "brief_obfuscated.md").read_text(encoding="utf-8")
