"""Every job ends at its limit, and none of its processes survives."""

import time

from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Reason

UNTIL_THE_LIMIT = ("ignoring", "respawning", "own_shell", "stopping_all", "stopped", "changing_until_the_end")
LEAVING_PROCESSES = ("daemon", "daemon_after_a_crash", "holding_the_pipe", "killing_all", "other_forwarder")


def test_jobs_that_do_not_end_are_ended_at_the_limit(attack, isolating):
    attacks = attack(isolating, "persistence", *UNTIL_THE_LIMIT, seconds=2.5, grace=0.5, processes=40)
    for mode, done in attacks.items():
        assert done.run.ending.reason is Reason.TIME, (mode, done.run.ending, done.log)
        assert "time" in done.limits_met(), mode
    assert attacks["changing_until_the_end"].run.verdict.outcome is Outcome.GRADED


def test_processes_that_jobs_leave_behind_are_killed(attack, isolating):
    attacks = attack(isolating, "persistence", *LEAVING_PROCESSES, seconds=90, processes=40)
    submissions = {mode: done.folder / "submission/submission.csv" for mode, done in attacks.items()}
    before = {mode: path.read_text() for mode, path in submissions.items() if path.exists()}
    time.sleep(0.3)  # a daemon that lives changes its file every 2 ms
    assert before == {mode: path.read_text() for mode, path in submissions.items() if path.exists()}
    assert before.keys() == {"daemon", "daemon_after_a_crash"}
    for mode, done in attacks.items():
        expected = Reason.CRASHED if mode == "daemon_after_a_crash" else Reason.FINISHED
        assert done.run.ending.reason is expected, (mode, done.run.ending, done.log)
        assert done.run.ending.seconds < 80, f"{mode}: the harness waited for a process that the job left"
    assert attacks["killing_all"].attempts
    assert attacks["other_forwarder"].attempts
