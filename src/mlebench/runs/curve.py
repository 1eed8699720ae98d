"""Grading the snapshots of a run: its score over time, tokens and money."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from mlebench.runs.record import CurvePoint, CurveRecord
from mlebench.runs.snapshots import FOLDER, read_snapshots

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.grading.reports import Verdict

SECONDS = 900.0
"""Time limit for grading the snapshots of one run: hundreds of large ones must not delay other runs."""


def grade_snapshots(
    attempt: Path, final: Verdict, judge: Callable[[Path], Verdict], *, seconds: float = SECONDS
) -> CurveRecord | None:
    """Return the score of an attempt over time, or None if it has no snapshots.

    Parameters
    ----------
    attempt
        The attempt's folder.
    final
        The verdict on the submission at the end.
    judge
        Grades a submission file; called once for each different content.
    seconds
        Time limit. If it is too short for all snapshots, the curve has fewer points at about equal distances.
    """
    snapshots = read_snapshots(attempt)
    known = {final.submission_sha256: final}
    until = time.monotonic() + seconds
    for place in _from_coarse_to_fine(len(snapshots)):
        name = snapshots[place].sha256
        if name not in known and time.monotonic() < until:
            known[name] = judge(attempt / FOLDER / f"{name}.csv")
    points = tuple(
        CurvePoint(
            seconds=snapshot.seconds,
            sha256=snapshot.sha256,
            bytes=snapshot.bytes,
            usage=snapshot.usage,
            outcome=verdict.outcome,
            score=verdict.score,
            medal=verdict.medal,
        )
        for snapshot in snapshots
        if (verdict := known.get(snapshot.sha256))
    )
    return CurveRecord(points=points, ungraded=len(snapshots) - len(points)) if snapshots else None


def _from_coarse_to_fine(count: int) -> list[int]:
    """Return the indices 0 to count - 1: the last, then every 2**n-th before it, then those halfway, and so on."""

    def step(place: int) -> int:
        back = count - 1 - place
        return back & -back if back else count

    return sorted(range(count), key=step, reverse=True)
