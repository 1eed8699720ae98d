"""A prepared competition, with the submissions that its sample and its answers give."""

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


class PreparedTask:
    """A competition whose data are prepared.

    Parameters
    ----------
    competition : Competition
        A declared competition with prepared data.
    path : Path
        Where submissions are written to be graded.
    """

    def __init__(self, competition: Competition, path: Path) -> None:
        assert competition.declaration is not None
        self.competition = competition
        self.declaration = competition.declaration
        self.shape = competition.declaration.submission
        self.path = path
        self.sample = read_csv(competition.sample_submission, text=self.shape.text_columns)
        self.targets = self.shape.target_names(self.sample) or list(self.sample.columns.difference(self.shape.ids))

    @functools.cached_property
    def gold(self) -> pd.DataFrame | None:
        """The right answers as a submission; None if they do not have that form."""
        import pandas as pd

        if self.competition.gold_submission != self.competition.answers:
            return read_csv(self.competition.gold_submission, text=self.shape.text_columns)
        answers = load_answers(self.competition.answers, text=self.shape.text_columns)
        columns = [*self.shape.ids, *self.targets]
        if not isinstance(answers, pd.DataFrame) or not set(columns) <= set(answers.columns):
            return None
        gold = answers[columns]
        if len(gold) < len(self.sample):  # a submission also has the rows that do not count
            others = self.sample[~row_keys(self.sample, self.shape.ids).isin(row_keys(gold, self.shape.ids))]
            gold = pd.concat([gold, others[columns]], ignore_index=True)
        return gold

    @property
    def mixed(self) -> pd.DataFrame | None:
        """A submission with every second row right and the others as in the sample; None without `gold`."""
        import numpy as np
        import pandas as pd

        if self.gold is None:
            return None
        gold, sample, ids = self.gold, self.sample, row_keys(self.sample, self.shape.ids)
        if ids.is_unique:
            sample = sample.iloc[ids.get_indexer(row_keys(gold, self.shape.ids))]
        rows = np.arange(len(gold))
        order = np.argsort(np.concatenate([rows[1::2], rows[::2]]))
        return pd.concat([gold.iloc[1::2], sample.iloc[: len(gold) : 2]]).iloc[order].reset_index(drop=True)

    def submit(self, submission: pd.DataFrame) -> tuple[Verdict, str]:
        """Return the verdict on a submission, and the message of the submission check."""
        write_csv(submission, self.path)
        return judge(self.path, self.competition), check_submission(self.path, self.competition)


def row_keys(table: pd.DataFrame, columns: list[str], dtype: type | None = None) -> pd.MultiIndex:
    """Return a key per row, made from some columns; with `dtype`, their values are converted first."""
    import pandas as pd

    return pd.MultiIndex.from_frame(table[columns].astype(dtype) if dtype else table[columns])
