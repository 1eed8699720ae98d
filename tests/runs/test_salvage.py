"""A run that ends early keeps its last valid submission."""

from mlebench.grading.reports import Outcome
from mlebench.runs.events import read_events
from mlebench.runs.salvage import ATTIC
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import Limits, MiB


def test_an_interrupted_run_keeps_its_last_valid_submission(arena, twice):
    limits = Limits(seconds=20, grace=0.2, memory=512 * MiB)
    run = arena.run_one(twice + "open(target, 'w').write('half of a'); time.sleep(100)", limits=limits)
    assert run.ending.reason is Reason.TIME
    assert run.verdict.outcome is Outcome.GRADED
    assert "submission of second" in run.salvaged
    attempt = arena.folder / "runs/group" / run.run_id / "attempts/1"
    assert (attempt / "submission" / ATTIC).read_text() == "half of a"
    assert any(event["kind"] == "salvaged" for event in read_events(attempt / "events.jsonl"))


def test_a_run_that_finishes_keeps_its_own_submission(arena, twice):
    run = arena.run_one(twice + "open(target, 'w').write('half of a')")
    assert run.ending.reason is Reason.FINISHED
    assert run.verdict.outcome is Outcome.INVALID
    assert run.salvaged is None
