"""A leaderboard from Kaggle beside the one that comes along."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from collections.abc import Sequence

SHOWN = 5


class Row(BaseModel):
    """A rank at which two leaderboards differ."""

    model_config = ConfigDict(frozen=True)

    rank: int
    """1 is the best."""
    bundled: float | None
    kaggle: float | None


class Comparison(BaseModel):
    """How two leaderboards of a competition differ."""

    model_config = ConfigDict(frozen=True)

    competition: str
    bundled_rows: int
    kaggle_rows: int
    equal: bool
    """Whether they hold the same scores in the same order."""
    only_bundled: int
    """Scores that stand in the bundled one only, each as often as it is there."""
    only_kaggle: int
    differing_ranks: int
    first: tuple[Row, ...]
    """The first ranks that differ."""

    @property
    def sentence(self) -> str:
        """The comparison in words."""
        if self.equal:
            return f"The leaderboard of {self.competition} is the bundled one: {self.bundled_rows:,} rows, all equal."
        if not self.only_bundled and not self.only_kaggle:
            how = f"the same {self.bundled_rows:,} scores stand in another order at {self.differing_ranks:,} ranks"
        else:
            how = (
                f"it has {self.kaggle_rows:,} rows and the bundled one {self.bundled_rows:,}; "
                f"{self.only_kaggle:,} scores are new and {self.only_bundled:,} are gone"
            )
        first = f"first at rank {self.first[0].rank:,}"
        return f"The leaderboard of {self.competition} differs from the bundled one, {first}: {how}."


def compare(competition_id: str, bundled: Sequence[float], kaggle: Sequence[float]) -> Comparison:
    """Compare two leaderboards, best score first, number by number."""
    longest = max(len(bundled), len(kaggle))
    ours = [*bundled, *[None] * (longest - len(bundled))]
    theirs = [*kaggle, *[None] * (longest - len(kaggle))]
    rows = [
        Row(rank=rank, bundled=one, kaggle=other)
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
        first=tuple(rows[:SHOWN]),
    )
