"""What a competition is: its declaration, texts and code, bound to a data directory."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlebench.errors import DeclarationError
from mlebench.ground.loading import LazyFunction
from mlebench.tasks.declaration import Declaration
from mlebench.tasks.grader import Grader
from mlebench.tasks.medals import Leaderboard
from mlebench.tasks.ref import TaskRef, Version

PrepareFunction = Callable[[Path, Path, Path], object]
"""Called with the folders `raw`, `public` and `private`; fills the last two and leaves the first as it is."""


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
    def ref(self) -> TaskRef:
        """The identity: competition and version."""
        return TaskRef(self.id, self.version)

    @property
    def label(self) -> str:
        """The id, followed by `@` and the version unless that is v1."""
        return self.ref.label

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
