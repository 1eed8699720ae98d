"""A run that ends early keeps its last valid submission."""

import hashlib

import pytest

from mlebench.grading.check import check_submission
from mlebench.grading.reports import Outcome
from mlebench.runs.events import read_events
from mlebench.runs.salvage import ATTIC, CUT_SHORT, CheckedFiles, salvage
from mlebench.runs.snapshots import Snapshot, Snapshots
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import Limits, MiB

from ..oddities import ODDITIES


def test_an_interrupted_run_keeps_its_last_valid_submission(arena, twice):
    limits = Limits(seconds=20, grace=0.2, memory=512 * MiB)
    run = arena.run_one(twice + "open(target, 'w').write('half of a'); time.sleep(100)", limits=limits)
    assert run.ending.reason is Reason.TIME
    assert run.verdict.outcome is Outcome.GRADED
    assert "submission of second" in run.salvaged
    attempt = arena.folder / "runs/group" / run.run_id / "attempts/1"
    assert (attempt / ATTIC).read_text() == "half of a"
    assert any(event["kind"] == "salvaged" for event in read_events(attempt / "events.jsonl"))


def test_a_folder_in_the_place_of_the_submission_does_not_undo_the_run(arena, twice):
    ruin = "import os; os.unlink(target); os.makedirs(target + '/inner'); os.mkdir('/home/submission/at_the_end.csv')"
    run = arena.run_one(f"{twice}{ruin}; raise SystemExit(1)")
    assert (run.ending.reason, run.attempt, run.incident) == (Reason.CRASHED, 1, None)
    assert run.verdict.outcome is Outcome.GRADED
    attempt = arena.folder / "runs/group" / run.run_id / "attempts/1"
    assert (attempt / ATTIC / "inner").is_dir()
    assert (attempt / "submission/at_the_end.csv").is_dir()


def test_a_run_that_finishes_keeps_its_own_submission(arena, twice):
    run = arena.run_one(twice + "open(target, 'w').write('half of a')")
    assert run.ending.reason is Reason.FINISHED
    assert run.verdict.outcome is Outcome.INVALID
    assert run.salvaged is None


class Desk:
    """Salvages the submission of an attempt, and counts checks and events."""

    def __init__(self, attempt, competition):
        self.competition = competition
        self.submission = attempt / "submission" / "submission.csv"
        self.submission.parent.mkdir(parents=True)
        self.snapshots = Snapshots(attempt / "watched.csv", attempt, events=self.note)
        self.snapshots.folder.mkdir()
        self.checked = []
        self.told = []
        self.files = CheckedFiles(self.check, self.note)
        self.texts = {"valid": competition.sample_submission.read_text(), "invalid": "not,yet\n"}

    def note(self, kind, /, **facts):
        self.told.append(kind)

    def check(self, path):
        self.checked.append(path)
        return check_submission(path, self.competition)

    def keep(self, *names):
        """Keep snapshots of these kinds; those of one kind differ in blank lines at the end."""
        for second, name in enumerate(names, start=1):
            text = self.texts[name] + "\n" * second
            digest = hashlib.sha256(text.encode()).hexdigest()
            self.snapshots.taken.append(Snapshot(seconds=second, sha256=digest, bytes=len(text)))
            self.snapshots.path(self.snapshots.taken[-1]).write_text(text)

    def salvage(self, reason=Reason.TIME, **options):
        return salvage(self.submission, reason, self.snapshots, self.files, self.note, **options)

    def files_left(self):
        return sorted(path.name for path in self.submission.parents[1].iterdir() if path.name != "snapshots")


@pytest.fixture
def desk(tmp_path, prepared):
    return Desk(tmp_path / "attempt", prepared("demo-wine"))


@pytest.mark.parametrize("reason", sorted(CUT_SHORT))
@pytest.mark.parametrize(
    ("kept", "second"),
    [(["valid"], 1), (["valid", "invalid"], 1), (["valid", "valid", "invalid"], 2)],
)
def test_the_last_valid_snapshot_takes_the_place_of_a_missing_submission(desk, reason, kept, second):
    desk.keep(*kept)
    assert desk.salvage(reason) == f"It is the submission of second {second}; at the end: There is none."
    assert desk.submission.read_text() == desk.texts["valid"] + "\n" * second


@pytest.mark.parametrize("oddity", ODDITIES)
def test_whatever_is_in_the_place_of_the_submission_is_put_aside(desk, oddity):
    desk.keep("valid")
    ODDITIES[oddity](desk.submission)
    (desk.submission.parent / ATTIC).mkdir()
    assert desk.salvage().startswith("It is the submission of second 1; at the end: ")
    assert desk.told == ["salvaged"]
    assert desk.submission.read_text() == desk.texts["valid"] + "\n"
    assert desk.files_left() == [*([] if oddity == "missing" else [ATTIC]), "submission"]
    assert (desk.submission.parent / ATTIC).is_dir()


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
def test_any_other_submission_counts_unchanged(desk, kept, submission, reason):
    desk.keep(*kept)
    if submission:
        desk.submission.write_text(desk.texts[submission])
    assert desk.salvage(reason) is None
    assert desk.submission.exists() == (submission is not None)
    assert (desk.told, desk.files_left()) == ([], ["submission"])


def test_what_the_agent_had_checked_is_not_checked_again(desk):
    desk.keep("valid", "invalid", "invalid")
    for snapshot in desk.snapshots.taken:
        answer = check_submission(desk.snapshots.path(snapshot), desk.competition)
        desk.files("check", sha256=snapshot.sha256, status=200, answer=answer)
    assert desk.salvage() is not None
    assert desk.checked == []


def test_a_check_that_failed_in_the_harness_says_nothing_about_a_file(desk):
    desk.keep("valid")
    desk.files("check", sha256=desk.snapshots.taken[0].sha256, status=500, answer="The check itself failed.")
    assert desk.salvage() is not None


def test_each_content_is_checked_once_the_newest_first(desk):
    desk.keep("invalid", "invalid")
    desk.snapshots.taken *= 200
    assert desk.salvage() is None
    assert desk.checked == [desk.snapshots.path(one) for one in reversed(desk.snapshots.taken[:2])]


def test_salvage_stops_when_its_time_is_over_and_says_so(desk):
    desk.keep("valid", "invalid")
    assert desk.salvage(seconds=-1) is None
    assert (desk.told, desk.checked) == (["salvage_stopped"], [])
