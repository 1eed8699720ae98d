"""Whether the test set is large enough: the standard error of a score beside the distance from bronze to gold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.battery.prepared import PreparedTask, row_keys
from mlebench.data.manifest import Source, data_source
from mlebench.scan.finding import Finding, NothingToScanError
from mlebench.scan.targets import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from mlebench.scan.material import Material

    Array = np.ndarray[Any, np.dtype[Any]]

MAX_ERROR = 0.5
"""Standard error as a part of the distance from bronze to gold; beyond it, chance decides medals."""
HALVES = 30
"""Random halves of the test set that are graded."""
SHARES = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1.0)
"""Shares of right rows among which that with the score nearest to bronze is chosen."""
MAX_ROWS = 20_000
"""Rows that are graded; the error of larger test sets is extrapolated from a sample of so many."""


def scan_power(material: Material) -> Iterator[Finding]:
    """Yield a finding if the standard error of a score near bronze is more than half the distance to gold.

    The scores of random halves of the test items vary as much as those of test sets of the full size, drawn again from
    a large population: half the items double the variance, and drawing without replacement halves it.

    Parameters
    ----------
    material : Material
        The prepared task.
    """
    competition = material.competition
    if data_source(competition) is Source.REHEARSAL:
        raise NothingToScanError("Rehearsal data are small, so their size says nothing about the real test set.")
    thresholds = competition.standings.thresholds
    distance = abs(thresholds.gold - thresholds.bronze)
    right, wrong, answers = _submissions(material)
    whole = np.arange(len(answers))
    units = np.unique(as_text(answers[material.declaration.submission.ids[0]]), return_inverse=True)[1]
    drawn = np.random.default_rng(9)
    if len(whole) > MAX_ROWS:
        whole = np.flatnonzero(
            np.isin(units, drawn.permutation(units.max() + 1)[: MAX_ROWS * units.max() // len(units)])
        )
    lots = drawn.permuted(np.linspace(0, 1, len(answers)))

    def score(share: float, rows: Array) -> float:
        mixed = wrong.copy()
        for name in mixed.columns:
            mixed[name] = mixed[name].astype(object).where(lots >= share, right[name].astype(object))
        mixed = mixed.infer_objects()
        parts = (table.iloc[rows].reset_index(drop=True) for table in (mixed, answers))
        return competition.grader.score(*parts)

    try:
        scores = {share: score(share, whole) for share in SHARES}
        near = min(scores, key=lambda share: abs(scores[share] - thresholds.bronze))
        names = np.unique(units[whole])
        halves = [np.isin(units[whole], drawn.permutation(names)[: len(names) // 2]) for _ in range(HALVES)]
        error = float(np.std([score(near, whole[half]) for half in halves], ddof=1))
    except Exception as problem:
        raise NothingToScanError(f"Parts of the test set cannot be graded: {type(problem).__name__}.") from problem
    error *= float(np.sqrt(len(whole) / len(answers)))
    if distance > 0 and np.isfinite(error) and error / distance > MAX_ERROR:
        yield Finding(
            scanner="power",
            what=(
                f"With {units.max() + 1:,} test items, the standard error of a score near bronze is {error:.3g}; "
                f"bronze and gold are {distance:.3g} apart."
            ),
            number=round(error / distance, 3),
            threshold=MAX_ERROR,
            remedy="Draw a larger test set in a new version, and report scores with their errors.",
            details={"standard error": error, "gold": thresholds.gold, "bronze": thresholds.bronze},
        )


def _submissions(material: Material) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return a right submission, the sample, and the answers, in the same order of rows."""
    task = PreparedTask(material.competition, Path("submission.csv"))
    answers, ids = material.answers, task.shape.ids
    if task.gold is None or answers is None or material.declaration.answer_table:
        raise NothingToScanError("No right submission can be made from the answers.")
    columns = [*ids, *task.targets]
    tables = []
    for table in (task.gold, task.sample):
        if not set(columns) <= set(table.columns):
            raise NothingToScanError("No right submission can be made from the answers.")
        keys = row_keys(table, ids, str)
        if not keys.is_unique:
            raise NothingToScanError("Ids of the answers repeat, so parts of the test set cannot be graded.")
        where = keys.get_indexer(row_keys(answers, ids, str))
        if (where < 0).any():
            raise NothingToScanError("The sample submission and the answers have different ids.")
        tables.append(table[columns].iloc[where].reset_index(drop=True))
    return tables[0], tables[1], answers.reset_index(drop=True)
