"""The prepared parts of a new task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.ground.tables import read_csv

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.tasks.competition import Competition


@dataclass(frozen=True)
class Parts:
    """The tables that the preparer of a new task writes."""

    train: pd.DataFrame
    test: pd.DataFrame
    """The rows to predict, without the target."""
    sample: pd.DataFrame
    """The sample submission."""
    answers: pd.DataFrame
    """The answers, in the form of a submission."""

    @classmethod
    def read(cls, competition: Competition) -> Parts:
        """Read the parts of a prepared competition."""
        return cls(
            train=read_csv(competition.public_dir / "train.csv"),
            test=read_csv(competition.public_dir / "test.csv"),
            sample=read_csv(competition.sample_submission),
            answers=read_csv(competition.answers),
        )
