"""The steps of the measurement, each of which is a process: it prints a line of JSON."""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

GiB = 1024**3


def make(source: Path, target: Path, competition_id: str, kind: str | None, max_bytes: int) -> dict[str, int]:
    """Make the data and the submissions of a task in an empty folder; return the size of each submission."""
    from benchmarks.widest.answers import enlarge
    from benchmarks.widest.submissions import write

    return dict(write(enlarge(source, target, competition_id), target, kind, max_bytes))


def judge(target: Path, competition_id: str, name: str) -> dict[str, object]:
    """Check and grade a submission; return what came of it, and the CPU seconds of both."""
    from mlebench.grading.check import check_submission
    from mlebench.grading.scoring import score_submission
    from mlebench.tasks.registry import Registry

    competition = Registry(target).get_competition(competition_id)
    path = target / f"{name}.csv"
    before = cpu_seconds()
    scoring = score_submission(path, competition)
    between = cpu_seconds()
    checked = check_submission(path, competition)
    return {
        "outcome": scoring.outcome,
        "score": scoring.score,
        "reason": (scoring.reason or "")[:200],
        "check": checked[:200],
        "grade_seconds": between - before,
        "check_seconds": cpu_seconds() - between,
    }


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    step, source, target, competition_id, name, *more = sys.argv[1:]
    if step == "make":
        print(json.dumps(make(Path(source), Path(target), competition_id, name or None, int(more[0]))))
    else:
        print(json.dumps(judge(Path(target), competition_id, name)))


if __name__ == "__main__":
    main()
