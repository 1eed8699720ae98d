import shutil

import pytest

import mlebench
from mlebench.runs.record import Status
from mlebench.runs.story import log
from mlebench.sandbox.ending import Reason


def test_an_agent_failure_is_a_result_and_not_retried(arena):
    assert arena.run_one("raise SystemExit(1)").attempt == 1


def test_a_harness_failure_is_retried_and_never_counts_as_a_result(arena, submit):
    agent = arena.agent("faulty", submit)
    plan = arena.plan(agent)
    shutil.rmtree(agent.folder)  # so that the run cannot even be laid out
    (run,) = arena.run(plan).runs.values()
    assert (run.status, run.attempt, run.ending.reason) == (Status.PLANNED, 3, Reason.HARNESS)
    assert run.verdict is None
    arena.agent("faulty", submit)
    (run,) = arena.run(plan).runs.values()
    assert (run.status, run.attempt) == (Status.GRADED, 4)


@pytest.mark.parametrize(
    "step",
    [
        "mlebench.runs.snapshots.Snapshots.__exit__",
        "mlebench.runs.attempt.collect",
        "mlebench.runs.attempt.salvage",
        "mlebench.runs.attempt.usage_of",
        "mlebench.runs.workplace.remove_tree",
        "mlebench.runs.runner.seal",
    ],
)
def test_a_failure_after_the_end_of_the_agent_gives_it_no_other_attempt(step, arena, monkeypatch):
    def fail(*arguments, **options):
        raise IsADirectoryError(21, "Is a directory")

    monkeypatch.setattr(step, fail)
    run = arena.run_one("raise SystemExit(1)", sandbox="process")
    assert (run.status, run.attempt, run.ending.reason) == (Status.GRADED, 1, Reason.CRASHED)
    assert "IsADirectoryError" in run.incident
    group = arena.folder / "runs" / "group"
    assert any(event["kind"] == "incident" for event in log(group / run.run_id, flagged=True))
    caveats = mlebench.report(group, registry=arena.registry).summary.caveats
    assert any("The harness failed after the agent's end in 1 run" in sentence for sentence in caveats)
