"""Whether grading rewards submissions that are worse than honest ones, gives NaN, or depends on the order of rows."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mlebench.battery.prepared import PreparedTask
from mlebench.grading.reports import Outcome
from mlebench.scan.finding import Finding, NothingToScanError
from mlebench.tasks.values import Values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mlebench.grading.reports import Verdict
    from mlebench.scan.material import Material

    Change = Callable[[pd.DataFrame, "Parts"], pd.DataFrame]

REPEATS = 8
"""Rows or cells that are changed, one at a time; fewer in large submissions."""
LARGE = 50_000
"""Rows of a submission that is large."""
SMALLEST = 1e-9
"""The smallest relative difference of scores that counts."""
REFUSE = "Refuse such submissions, in the grading of a new version."


class Parts:
    """What changes of a submission use: the target columns, the sample, and random numbers that are always the same."""

    def __init__(self, task: PreparedTask, seed: int) -> None:
        self.targets = task.targets
        self.sample = task.sample
        self.are_numbers = are_numbers(task)
        self.rng = np.random.default_rng(seed)

    def filled(self, submission: pd.DataFrame, value: object, rows: Any = slice(None)) -> pd.DataFrame:
        """Return a submission with a value in the first target column of some rows."""
        name = self.targets[0]
        cells = submission[name].astype(object).copy()
        cells.iloc[rows] = value
        return submission.assign(**{name: cells})

    def row(self, submission: pd.DataFrame) -> int:
        """Return the position of a random row."""
        return int(self.rng.integers(len(submission)))

    def cell(self, submission: pd.DataFrame) -> int:
        """Return the position of a random row for another value: of a right one, unless values are numbers.

        Leaving out a wrong label or text is no trick: metrics such as F1 reward it.
        """
        return self.row(submission) if self.are_numbers else 1 + 2 * int(self.rng.integers(len(submission) // 2))


SAME: dict[str, Change] = {
    "the rows in reverse order": lambda honest, parts: honest.iloc[::-1],
    "the rows in random order": lambda honest, parts: honest.sample(frac=1, random_state=1),
}
"""Changes after which the score must be the same."""
ONCE: dict[str, Change] = {
    "nothing in the first target column": lambda honest, parts: parts.filled(honest, None),
    "infinity in the first target column": lambda honest, parts: parts.filled(honest, "inf"),
    "one value in the first target column": lambda honest, parts: parts.filled(
        honest, honest[parts.targets[0]].iloc[0]
    ),
    "a header only": lambda honest, parts: honest.iloc[:0],
    "one row only": lambda honest, parts: honest.iloc[:1],
    "every row twice": lambda honest, parts: pd.concat([honest, honest]),
    "the sample's rows added": lambda honest, parts: pd.concat([honest, parts.sample]),
}
OFTEN: dict[str, Change] = {
    "a row left out": lambda honest, parts: honest.drop(honest.index[parts.row(honest)]),
    "a blank cell": lambda honest, parts: parts.filled(honest, None, parts.cell(honest)),
    "a row repeated": lambda honest, parts: pd.concat([honest, honest.iloc[[parts.row(honest)]]]),
    "infinity in a cell": lambda honest, parts: parts.filled(honest, "inf", parts.cell(honest)),
}
"""Changes that are tried with several random rows."""


def scan_grader(material: Material) -> Iterator[Finding]:
    """Yield the changes of a half-right submission that make its score better or NaN, or that must not change it.

    Parameters
    ----------
    material : Material
        The prepared task.
    """
    with tempfile.TemporaryDirectory(prefix="mlebench-") as scratch:
        task = PreparedTask(material.competition, Path(scratch) / "submission.csv")
        if not task.targets or task.gold is None or len(task.gold) < 2:
            raise NothingToScanError("No right submission can be made from the answers.")
        honest = task.mixed
        assert honest is not None
        if set(task.targets) - set(honest.columns):
            raise NothingToScanError("No right submission can be made from the answers.")
        base, _ = task.submit(honest)
        if base.outcome is not Outcome.GRADED or base.score is None or not math.isfinite(base.score):
            raise NothingToScanError(
                "A submission whose rows are half right and half those of the sample is not graded."
            )
        repeats = 2 if len(honest) > LARGE else REPEATS
        for name, change in SAME.items():
            verdict, _ = task.submit(change(honest, Parts(task, 0)))
            yield from _compare_same(name, verdict, base.score)
        once = ONCE if are_numbers(task) else {name: ONCE[name] for name in ONCE if "column" not in name}
        for changes, times in ((once, 1), (OFTEN, repeats)):
            for name, change in changes.items():
                verdicts = [task.submit(change(honest, Parts(task, seed)))[0] for seed in range(times)]
                yield from _compare_worse(name, verdicts, base.score, material.competition.lower_is_better)
        if repeats < REPEATS:
            material.limits.append(f"{repeats} random rows were changed for each kind of change.")


def are_numbers(task: PreparedTask) -> bool:
    """Return whether predictions are numbers that are no labels, by the sample submission."""
    columns = [task.sample[name] for name in task.targets if name in task.sample.columns]
    return task.shape.values is not Values.LABELS and all(map(pd.api.types.is_numeric_dtype, columns))


def _compare_same(name: str, verdict: Verdict, base: float) -> Iterator[Finding]:
    if verdict.score is not None and verdict.outcome is Outcome.GRADED and _differs(verdict.score, base):
        yield Finding(
            scanner="grader",
            what=f"A submission with {name} gets another score.",
            number=abs(verdict.score - base),
            threshold=SMALLEST,
            column=name,
            remedy="Pair rows by their ids (match: ids), in the grading of a new version.",
            details={"score": verdict.score, "score of the honest submission": base},
        )


def _compare_worse(name: str, verdicts: list[Verdict], base: float, lower_is_better: bool) -> Iterator[Finding]:
    scores = [one.score for one in verdicts if one.outcome is Outcome.GRADED and one.score is not None]
    sign = -1 if lower_is_better else 1
    gains = [sign * (score - base) for score in scores if not math.isnan(score) and _differs(score, base)]
    if any(math.isnan(score) for score in scores):
        yield Finding(
            scanner="grader",
            what=f"A submission with {name} is graded NaN.",
            number=sum(map(math.isnan, scores)),
            threshold=0,
            column=name,
            remedy=REFUSE,
        )
    elif max(gains, default=0.0) > 0:
        yield Finding(
            scanner="grader",
            what=f"A submission with {name} gets a better score than the same one without.",
            number=max(gains),
            threshold=SMALLEST,
            column=name,
            remedy=REFUSE,
            details={"score of the honest submission": base, "better": sum(gain > 0 for gain in gains)},
        )


def _differs(score: float, base: float) -> bool:
    return not abs(score - base) <= SMALLEST * max(1.0, abs(base))
