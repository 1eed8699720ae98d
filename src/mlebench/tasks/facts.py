"""Facts about a competition: its metric, thresholds, versions and known problems."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.errors import DeclarationError
from mlebench.tasks.lookup import get_competition
from mlebench.tasks.ref import Version

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.metrics import Metric
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.declaration import Comparison, KnownProblem
    from mlebench.tasks.medals import Leaderboard
    from mlebench.tasks.ref import TaskRef
    from mlebench.tasks.registry import Registry
    from mlebench.tasks.shape import Shape


@dataclass(frozen=True)
class CompetitionFacts:
    """Facts about a competition, as `mlebench show` prints them."""

    id: str
    version: str
    title: str
    year: int
    category: str
    complexity: str | None
    metric: Metric
    field: str
    """Who is on the leaderboard: `human` or `models`."""
    comparison: Comparison | None
    """How well scores compare with the leaderboard; None where nobody has judged that."""
    sample_score: float | None
    """Score of the sample submission on the real data, where it is known."""
    submission: Shape
    versions: dict[str, str]
    """What each version is, by its name."""
    known_problems: tuple[KnownProblem, ...]
    """Those of all versions; of a later version only its own."""
    competition: Competition = dataclasses.field(repr=False)

    @property
    def standings(self) -> Leaderboard:
        """The private leaderboard, which is read when it is asked for."""
        return self.competition.standings

    @property
    def direction(self) -> str:
        """Which scores are better, in words."""
        return f"{'lower' if self.metric.lower_is_better else 'higher'} is better"

    @property
    def submission_form(self) -> str:
        """Ids, targets and values of a submission, in words."""
        shape = self.submission
        targets = "all other columns of the sample" if shape.targets is None else ", ".join(shape.targets)
        return f"{', '.join(shape.ids)}; {targets} ({shape.values})"

    def as_json(self) -> dict[str, Any]:
        """Return the facts as plain values for JSON."""
        return {
            "id": self.id,
            "version": self.version,
            "title": self.title,
            "year": self.year,
            "category": self.category,
            "complexity": self.complexity,
            "metric": self.metric.name,
            "direction": self.direction,
            "range": list(self.metric.range),
            "leaderboard": self.field,
            "teams": len(self.standings.scores),
            "comparison": self.comparison.model_dump() if self.comparison else None,
            "thresholds": dataclasses.asdict(self.standings.thresholds),
            "sample_score": self.sample_score,
            "submission_form": self.submission_form,
            "versions": self.versions,
            "known_problems": [problem.model_dump(mode="json") for problem in self.known_problems],
        }


def describe_competition(
    competition: Competition | TaskRef | str, *, data_dir: Path | None = None, registry: Registry | None = None
) -> CompetitionFacts:
    """Return facts about a competition, as `mlebench show` does; its data need not exist.

    Parameters
    ----------
    competition, data_dir, registry
        As in `get_competition`.

    Raises
    ------
    UnknownNameError
        There is no such competition.
    DeclarationError
        The competition was built by a client, and so has no declaration.

    Examples
    --------
    >>> facts = describe_competition("spaceship-titanic")
    >>> facts.direction, facts.submission_form
    ('higher is better', 'PassengerId; Transported (labels)')
    """
    found = get_competition(competition, data_dir=data_dir, registry=registry)
    declared = found.declaration
    if declared is None:
        raise DeclarationError(f"The competition {found.id} has no declaration.")
    return CompetitionFacts(
        id=found.id,
        version=found.version,
        title=declared.title,
        year=declared.year,
        category=declared.category,
        complexity=declared.complexity,
        metric=declared.resolved_metric,
        field=declared.field,
        comparison=declared.leaderboard,
        sample_score=declared.sample_score,
        submission=declared.submission,
        versions={"v1": "the task that published results are about"}
        | {str(version): revision.changes for version, revision in declared.versions.items()},
        known_problems=tuple(
            problem
            for problem in declared.known_problems
            if found.version is Version.V1 or found.version in problem.versions
        ),
        competition=found,
    )
