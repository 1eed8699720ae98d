"""A competition: its declaration, texts and code, bound to a data directory."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlebench.errors import DeclarationError
from mlebench.ground.loading import LazyFunction
from mlebench.tasks.briefs import read_brief
from mlebench.tasks.declaration import Declaration
from mlebench.tasks.grader import Grader
from mlebench.tasks.medals import Leaderboard
from mlebench.tasks.ref import TaskRef, Version

PrepareFunction = Callable[[Path, Path, Path], object]
"""Called with the folders `raw`, `public` and `private`; fills the last two and does not change the first."""


@dataclass(frozen=True)
class Competition:
    """A task bound to a data directory: its text, its files, and how it is prepared and graded.

    All paths are absolute. The data need not exist.

    Examples
    --------
    >>> from mlebench import get_competition
    >>> competition = get_competition("spaceship-titanic")
    >>> competition.name, competition.lower_is_better, competition.standings.thresholds.gold
    ('Spaceship Titanic', False, 0.82066)
    """

    id: str
    """Id without a version, such as `spaceship-titanic`."""
    name: str
    """Title."""
    description: str
    """The task's text for an agent, in Markdown."""
    competition_type: str
    """Always `simple`; clients read it."""
    grader: Grader
    answers: Path
    """The private answers, a `.csv` or `.jsonl` file."""
    gold_submission: Path
    """A submission with the best score; the answers, unless they have another form."""
    sample_submission: Path
    raw_dir: Path
    private_dir: Path
    public_dir: Path
    checksums: Path
    """The checksums on record, in the task's folder."""
    leaderboard: Path
    """The private leaderboard, a CSV file in the task's folder with a column `score`, best first."""
    prepare_fn: PrepareFunction
    declaration: Declaration | None = None
    """The content of `competition.yaml`; None for a competition that a client built."""
    folder: Path | None = None
    """Folder with the task's code, texts and leaderboard."""
    version: Version = Version.V1
    check: Callable[..., None] | None = None
    """The task's own check of an aligned submission; it never reads the answers."""
    data_version: Version | None = None
    """The version whose prepared data this is bound to, if that is another one; see `on_data_of`."""

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Competition:
        """Build a competition from its fields; DeclarationError, a ValueError, if one is missing."""
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
        """Read a task and bind it to a data directory.

        Parameters
        ----------
        folder
            The task's folder, with `competition.yaml`, `task.py` and `brief.md`.
        data_dir
            Folder with the data of all competitions; it need not exist.
        version
            Prepared data of later versions have a folder of their own.

        Raises
        ------
        DeclarationError
            The declaration is wrong.
        UnknownNameError
            The task has no such version.
        """
        declared = Declaration.read(folder / "competition.yaml").at(version)
        home = data_dir / declared.id
        prepared = home / ("prepared" if version is Version.V1 else f"prepared-{version}")
        answers = prepared / declared.answers
        code = folder / "task.py"
        check = LazyFunction(code, declared.check) if declared.check else None
        return cls(
            id=declared.id,
            name=declared.title,
            description=read_brief(folder / "brief.md", version),
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
            checksums=folder / ("checksums.yaml" if version is Version.V1 else f"checksums_{version}.yaml"),
            leaderboard=folder / "leaderboard.csv",
            prepare_fn=LazyFunction(code, declared.prepare, **({"split": declared.split} if declared.split else {})),
            declaration=declared,
            folder=folder,
            version=version,
            check=check,
        )

    def on_data_of(self, other: Competition) -> Competition:
        """Return this version bound to the prepared data of another version of the task.

        It grades submissions to the other version by its own rules: shape, metric, and medals.
        """
        return dataclasses.replace(
            self,
            answers=other.answers,
            gold_submission=other.gold_submission,
            sample_submission=other.sample_submission,
            private_dir=other.private_dir,
            public_dir=other.public_dir,
            data_version=other.version,
        )

    @property
    def prepared_dir(self) -> Path:
        """The folder of the prepared data, with `public/` and `private/`."""
        return self.public_dir.parent

    @property
    def ref(self) -> TaskRef:
        """The identity of the task: competition and version."""
        return TaskRef(self.id, self.version)

    @property
    def label(self) -> str:
        """The id, followed by `@` and the version unless that is v1."""
        return self.ref.label

    @property
    def is_embedded(self) -> bool:
        """Whether the raw data are made on this machine, not downloaded."""
        return self.declaration is not None and self.declaration.raw is not None

    @functools.cached_property
    def standings(self) -> Leaderboard:
        """The private leaderboard. Later versions than v1 compare scores with its own number of decimals."""
        board = Leaderboard.read(self.leaderboard, lower_is_better=self.lower_is_better)
        return board if self.version is Version.V1 else board.at_its_precision()

    @functools.cached_property
    def lower_is_better(self) -> bool:
        """The metric's direction; the leaderboard's for a grader that has no metric."""
        if self.grader.metric is not None:
            return self.grader.metric.lower_is_better
        scores = Leaderboard.read(self.leaderboard, lower_is_better=False).scores
        return scores[0] < scores[-1]

    def brief(self, *, obfuscated: bool = False) -> str:
        """Return the task's text for an agent; `obfuscated` hides which competition it is."""
        if not obfuscated or self.folder is None:
            return self.description
        return read_brief(self.folder / "brief_obfuscated.md", self.version)
