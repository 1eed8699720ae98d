"""A run that ends early keeps its last valid submission."""

import hashlib

import pytest

from mlebench.grading.reports import Outcome
from mlebench.runs.events import read_events
from mlebench.runs.salvage import ATTIC, CUT_SHORT, salvage
from mlebench.runs.snapshots import Snapshot, Snapshots
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


@pytest.fixture
def salvaged(tmp_path, prepared):
    """A function that salvages a submission and returns the files and the sentence; and the logged events."""
    wine = prepared("demo-wine")
    texts = {"valid": wine.sample_submission.read_text(), "invalid": "not,yet\n"}

    def call(kept, submission, reason):
        snapshots = Snapshots(tmp_path / "watched.csv", tmp_path, events=lambda kind, /, **facts: None)
        snapshots.folder.mkdir()
        for second, name in enumerate(kept, start=1):
            text = f"{texts[name]}\n" if second % 2 and name == "valid" else texts[name]  # so that two may differ
            digest = hashlib.sha256(text.encode()).hexdigest()
            snapshots.taken.append(Snapshot(seconds=second, sha256=digest, bytes=len(text)))
            snapshots.path(snapshots.taken[-1]).write_text(text)
        path = tmp_path / "submission" / "submission.csv"
        if submission is not None:
            path.parent.mkdir()
            path.write_text(texts[submission])
        sentence = salvage(path, reason, snapshots, wine, lambda kind, /, **facts: told.append(kind))
        return sorted(file.name for file in path.parent.glob("*")), sentence

    told = []
    return call, told


@pytest.mark.parametrize("reason", sorted(CUT_SHORT))
@pytest.mark.parametrize(
    ("kept", "submission", "second", "files"),
    [
        (["valid"], None, 1, ["submission.csv"]),
        (["valid", "invalid"], "invalid", 1, [ATTIC, "submission.csv"]),
        (["valid", "valid", "invalid"], "invalid", 2, [ATTIC, "submission.csv"]),
    ],
)
def test_the_last_valid_snapshot_replaces_a_missing_or_invalid_submission(
    salvaged, reason, kept, submission, second, files
):
    call, told = salvaged
    found, sentence = call(kept, submission, reason)
    assert found == files
    assert sentence.startswith(f"It is the submission of second {second}; at the end: ")
    assert told == ["salvaged"]


@pytest.mark.parametrize(
    ("kept", "submission", "reason"),
    [
        (["valid"], "invalid", Reason.FINISHED),
        (["valid"], None, Reason.STOPPED),
        (["valid"], "valid", Reason.TIME),
        (["invalid"], "invalid", Reason.TIME),
        (["invalid"], None, Reason.TIME),
        ([], "invalid", Reason.TIME),
    ],
)
def test_any_other_submission_counts_unchanged(salvaged, kept, submission, reason):
    call, told = salvaged
    assert call(kept, submission, reason) == (["submission.csv"] if submission else [], None)
    assert told == []
