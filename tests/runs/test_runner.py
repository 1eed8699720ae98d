import shutil

from mlebench.runs.record import Status
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
