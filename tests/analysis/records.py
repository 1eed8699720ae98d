"""Run groups in memory, without a harness and without files."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.analysis.sources import Sources
from mlebench.grading.reports import Outcome, Verdict
from mlebench.ground.clock import now
from mlebench.runs.reader import Group
from mlebench.runs.record import CurvePoint, GroupRecord, PlanRecord, RunRecord, Status, UsageRecord
from mlebench.sandbox.base import GUARANTEES
from mlebench.sandbox.ending import Ending, Reason
from mlebench.sandbox.limits import Limits
from mlebench.tasks.medals import Leaderboard

if TYPE_CHECKING:
    from mlebench.analysis.model import Summary

START = datetime(2025, 3, 1, 9, 0, tzinfo=UTC)
LEADERBOARD = Leaderboard(tuple(1 - place / 1000 for place in range(1000)), lower_is_better=False)
"""1000 teams: gold from 0.989 (12 teams), silver 0.951, bronze 0.901, median 0.5005."""


def make_verdict(competition_id: str = "spaceship-titanic", score: float | None = 0.6, **changes: Any) -> Verdict:
    """Grade a score on the leaderboard above."""
    graded = score is not None
    thresholds = LEADERBOARD.thresholds
    values: dict[str, Any] = {
        "competition_id": competition_id,
        "version": "v1",
        "outcome": Outcome.GRADED if graded else Outcome.INVALID,
        "reason": None if graded else "The column 'id' is missing; add it.",
        "score": score,
        "unrounded_score": score,
        "medal": LEADERBOARD.medal(score) if graded else None,
        "above_median": graded and LEADERBOARD.above_median(score),
        "rank": LEADERBOARD.rank(score) if graded else None,
        "teams": len(LEADERBOARD.scores),
        "percentile": LEADERBOARD.percentile(score) if graded else None,
        "normalized_score": None,
        "gold_threshold": thresholds.gold,
        "silver_threshold": thresholds.silver,
        "bronze_threshold": thresholds.bronze,
        "median_threshold": thresholds.median,
        "lower_is_better": False,
        "leaderboard": "human",
        "data": "kaggle",
        "submission_path": "submission.csv",
        "submission_sha256": None,
        "graded_at": START,
    }
    return Verdict(**values | changes)


def make_run(
    competition_id: str = "spaceship-titanic",
    agent: str = "aide",
    seed: int = 0,
    verdict: Verdict | None = None,
    **changes: Any,
) -> RunRecord:
    """Make a run that is graded if it has a verdict, and planned otherwise."""
    values: dict[str, Any] = {
        "run_id": f"{competition_id}_{agent}_seed-{seed}",
        "competition_id": competition_id,
        "version": verdict.version if verdict else "v1",
        "agent": agent,
        "seed": seed,
        "status": Status.GRADED if verdict else Status.PLANNED,
        "verdict": verdict,
    }
    if verdict:
        values |= {
            "attempt": 1,
            "started_at": START,
            "ended_at": START + timedelta(hours=2),
            "ending": Ending(reason=Reason.FINISHED, exit_code=0, seconds=7200.0, detail="", peak_memory=2**30),
        }
    return RunRecord(**values | changes)


def make_group(*runs: RunRecord, plan: dict[str, Any] | None = None, **changes: Any) -> GroupRecord:
    """Make a group whose plan is what the runs are."""
    plan_values: dict[str, Any] = {
        "agents": tuple(dict.fromkeys(run.agent for run in runs)),
        "competitions": tuple(dict.fromkeys(run.competition_id for run in runs)),
        "seeds": len({run.seed for run in runs}),
        "sandbox": "bubblewrap",
        "network": "closed",
        "obfuscated": False,
        "limits": Limits(seconds=86400, grace=10, cpus=8, memory=32 * 2**30, processes=512, disk=32 * 2**30, log=2**26),
    }
    values: dict[str, Any] = {
        "run_group": "2025-03-01T09-00-00_run-group",
        "created_at": START,
        "mlebench_version": "0.1.0",
        "machine": "8 cores, 64 GiB of memory, Linux",
        "guarantees": dict.fromkeys(GUARANTEES, True),
        "enforcement": "cgroup v2",
        "plan": PlanRecord(**plan_values | (plan or {})),
        "runs": {run.run_id: run for run in runs},
    }
    return GroupRecord(**values | changes)


def sources_of(*groups: GroupRecord) -> Sources:
    """Return groups as they are read from disk, but from folders that do not exist."""
    return Sources(groups=tuple(Group(Path(f"nowhere-{number}"), group) for number, group in enumerate(groups)))


def make_scores(scores: dict[str, dict[str, list[float | None]]], **changes: Any) -> GroupRecord:
    """Make a group from the scores of each seed, by agent and competition; None is an invalid submission."""
    return make_group(
        *(
            make_run(competition, agent, seed, make_verdict(competition, score))
            for agent, competitions in scores.items()
            for competition, of_seeds in competitions.items()
            for seed, score in enumerate(of_seeds)
        ),
        **changes,
    )


HOUR = 3600.0


def make_usage(tokens: int, money: float | None = None) -> UsageRecord:
    """Make what a run used of models."""
    return UsageRecord(requests=1, input_tokens=tokens, output_tokens=0, money=money)


def make_point(hours: float, score: float | None, usage: UsageRecord | None = None) -> CurvePoint:
    """Make a graded snapshot; a score of None is an invalid submission."""
    verdict = make_verdict("a", score)
    of_it = {"outcome": verdict.outcome, "score": verdict.score, "medal": verdict.medal}
    return CurvePoint(seconds=hours * HOUR, sha256="0" * 64, bytes=1, usage=usage, **of_it)


def running_group() -> GroupRecord:
    """Make a group with one run that is done, one in progress, one not graded yet, and one waiting."""
    running = {"status": Status.RUNNING, "attempt": 1, "started_at": now() - timedelta(minutes=5)}
    return make_group(
        make_run("a", verdict=make_verdict("a", 0.99)),
        make_run("a", seed=1, **running),
        make_run("a", seed=2, status=Status.ENDED, attempt=1),
        make_run("a", seed=3),
    )


HOSTILE = "\"'><script>document.title='owned'</script><img src=http://192.0.2.1/x onerror=alert(1)>\u202e\x1b[31m"


def hostile_group() -> GroupRecord:
    """Make a group in which every text of unknown origin is an attack."""
    ending = Ending(reason=Reason.CRASHED, exit_code=1, seconds=1.0, detail=HOSTILE, peak_memory=None)
    verdict = make_verdict(HOSTILE, None, reason=HOSTILE, outcome=Outcome.INVALID)
    run = make_run(HOSTILE, HOSTILE, verdict=verdict, ending=ending)
    return make_group(run, run_group=HOSTILE, machine=HOSTILE, mlebench_version=HOSTILE, guarantees={HOSTILE: False})


GOLD, SILVER, BRONZE, ABOVE, MEDIAN, BELOW = 0.99, 0.96, 0.91, 0.6, 0.5005, 0.4


def has_caveat(summary: Summary, words: str) -> bool:
    """Return whether a caveat of a report contains these words."""
    return any(words in sentence for sentence in summary.caveats)


def make_graded_run(competition: str, seed: int, score: float | None, **changes: Any) -> RunRecord:
    """Make a run from its score; None is an invalid submission."""
    return make_run(competition, seed=seed, verdict=make_verdict(competition, score), **changes)
