"""Grading the snapshots of a run: its score over time, tokens and money."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.runs.record import CurvePoint, CurveRecord
from mlebench.runs.snapshots import FOLDER, read_snapshots

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.reports import Verdict

CURVE = "curve.json"


def grade_snapshots(attempt: Path, final: Verdict, judge: Callable[[Path], Verdict]) -> CurveRecord | None:
    """Return the curve of an attempt, or None if it has no snapshots; each different content is graded once."""
    known = {final.submission_sha256: final}
    points = []
    for snapshot in read_snapshots(attempt):
        verdict = known.get(snapshot.sha256)
        if verdict is None:
            verdict = known[snapshot.sha256] = judge(attempt / FOLDER / f"{snapshot.sha256}.csv")
        points.append(
            CurvePoint(
                seconds=snapshot.seconds,
                sha256=snapshot.sha256,
                bytes=snapshot.bytes,
                usage=snapshot.usage,
                outcome=verdict.outcome,
                score=verdict.score,
                medal=verdict.medal,
            )
        )
    return CurveRecord(points=tuple(points)) if points else None
