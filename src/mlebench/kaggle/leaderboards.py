"""Compare a leaderboard at Kaggle with the bundled one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from mlebench.kaggle.client import KaggleClient
from mlebench.kaggle.errors import require_kaggle_competition
from mlebench.tasks.lookup import get_competition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.tasks.competition import Competition
    from mlebench.tasks.ref import TaskRef

MAX_SHOWN = 5
"""Differing ranks that a comparison lists."""


class RankDifference(BaseModel):
    """A rank at which two leaderboards differ; a score is None beyond the end of a leaderboard."""

    model_config = ConfigDict(frozen=True)

    rank: int
    """1 is the best."""
    bundled: float | None
    kaggle: float | None


class Comparison(BaseModel):
    """The differences between the bundled leaderboard and Kaggle's."""

    model_config = ConfigDict(frozen=True)

    competition: str
    bundled_rows: int
    kaggle_rows: int
    equal: bool
    """Whether both have the same scores in the same order."""
    only_bundled: int
    """Scores that only the bundled one has; repeated scores count as often as they occur."""
    only_kaggle: int
    differing_ranks: int
    first: tuple[RankDifference, ...]
    """The first ranks that differ."""

    @property
    def summary(self) -> str:
        """The comparison as one sentence."""
        if self.equal:
            return f"The leaderboard of {self.competition} equals the bundled one in all {self.bundled_rows:,} rows."
        if not self.only_bundled and not self.only_kaggle:
            how = f"the same {self.bundled_rows:,} scores are in another order at {self.differing_ranks:,} ranks"
        else:
            how = (
                f"it has {self.kaggle_rows:,} rows and the bundled one {self.bundled_rows:,}; "
                f"{self.only_kaggle:,} scores are new and {self.only_bundled:,} are missing"
            )
        first = f"first at rank {self.first[0].rank:,}"
        return f"The leaderboard of {self.competition} differs from the bundled one, {first}: {how}."


def compare_leaderboard(competition: Competition | TaskRef | str, client: KaggleClient | None = None) -> Comparison:
    """Download a competition's leaderboard from Kaggle and compare it with the bundled one.

    Parameters
    ----------
    competition
        A competition of Kaggle, or its id.
    client
        Sends the requests; by default a client with the user's credentials.

    Raises
    ------
    UsageError
        The competition's data are embedded, so Kaggle does not know it.
    KaggleError
        Kaggle cannot be reached or refuses.
    """
    competition = get_competition(competition)
    require_kaggle_competition(competition)
    downloaded = (client or KaggleClient()).leaderboard(competition.id)
    return compare(competition.id, competition.standings.scores, downloaded)


def compare(competition_id: str, bundled: Sequence[float], kaggle: Sequence[float]) -> Comparison:
    """Compare two leaderboards rank by rank.

    Parameters
    ----------
    competition_id
        The competition's id, for the summary.
    bundled, kaggle
        The scores of each leaderboard, best first.
    """
    longest = max(len(bundled), len(kaggle))
    ours = [*bundled, *[None] * (longest - len(bundled))]
    theirs = [*kaggle, *[None] * (longest - len(kaggle))]
    rows = [
        RankDifference(rank=rank, bundled=one, kaggle=other)
        for rank, (one, other) in enumerate(zip(ours, theirs, strict=True), 1)
        if one != other
    ]
    counts, others = Counter(bundled), Counter(kaggle)
    return Comparison(
        competition=competition_id,
        bundled_rows=len(bundled),
        kaggle_rows=len(kaggle),
        equal=not rows,
        only_bundled=(counts - others).total(),
        only_kaggle=(others - counts).total(),
        differing_ranks=len(rows),
        first=tuple(rows[:MAX_SHOWN]),
    )
