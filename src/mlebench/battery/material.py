"""A prepared competition with the submissions that can be made of its answers and its sample."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from mlebench.grading.answers import load_answers
from mlebench.grading.check import check_submission
from mlebench.grading.judge import judge
from mlebench.ground.tables import read_csv, write_csv

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from mlebench.grading.reports import Verdict
    from mlebench.tasks.competition import Competition


class Material:
    """A competition whose data are prepared; `path` is where a submission is written to be tried."""

    def __init__(self, competition: Competition, path: Path) -> None:
        assert competition.declaration is not None
        self.competition = competition
        self.declaration = competition.declaration
        self.shape = competition.declaration.submission
        self.path = path
        self.sample = read_csv(competition.sample_submission)
        self.targets = self.shape.target_names(self.sample) or list(self.sample.columns.difference(self.shape.ids))

    @functools.cached_property
    def gold(self) -> pd.DataFrame | None:
        """The right answers as a submission, None where they do not have that form."""
        import pandas as pd

        if self.competition.gold_submission != self.competition.answers:
            return read_csv(self.competition.gold_submission)
        answers, columns = load_answers(self.competition.answers), [*self.shape.ids, *self.targets]
        if not isinstance(answers, pd.DataFrame) or not set(columns) <= set(answers.columns):
            return None
        gold = answers[columns]
        if len(gold) < len(self.sample):  # the others do not count, but belong to a submission
            others = self.sample[~keys(self.sample, self.shape.ids).isin(keys(gold, self.shape.ids))]
            gold = pd.concat([gold, others[columns]], ignore_index=True)
        return gold

    @property
    def mixed(self) -> pd.DataFrame | None:
        """Every other row right, the others as in the sample."""
        import numpy as np
        import pandas as pd

        if self.gold is None:
            return None
        gold, sample, ids = self.gold, self.sample, keys(self.sample, self.shape.ids)
        if ids.is_unique:
            sample = sample.iloc[ids.get_indexer(keys(gold, self.shape.ids))]
        rows = np.arange(len(gold))
        order = np.argsort(np.concatenate([rows[1::2], rows[::2]]))
        return pd.concat([gold.iloc[1::2], sample.iloc[: len(gold) : 2]]).iloc[order].reset_index(drop=True)

    def tried(self, submission: pd.DataFrame) -> tuple[Verdict, str]:
        """Return the verdict on a submission, and what an agent that asks is told of it."""
        write_csv(submission, self.path)
        return judge(self.path, self.competition), check_submission(self.path, self.competition)


def keys(table: pd.DataFrame, columns: list[str], kind: type | None = None) -> pd.MultiIndex:
    """Return some columns of a table as a key for each row, made of values of one kind if that is named."""
    import pandas as pd

    return pd.MultiIndex.from_frame(table[columns].astype(kind) if kind else table[columns])
