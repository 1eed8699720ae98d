"""Every job ends in time, and nothing of it lives on."""

import time

from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Reason

STUBBORN = ("ignoring", "respawning", "own_shell", "stopping_all", "stopped", "changing_until_the_end")
LEAVING = ("daemon", "daemon_beside_a_crash", "holding_the_pipe", "killing_all", "other_forwarder")


def test_who_does_not_want_to_end(field, isolating):
    attacks = field.attack(isolating, "limpet", *STUBBORN, seconds=2.5, grace=0.5, processes=40)
    for mode, attack in attacks.items():
        assert attack.run.ending.reason is Reason.TIME, (mode, attack.run.ending, attack.log)
        assert "time" in attack.limits_met(), mode
    assert attacks["changing_until_the_end"].run.verdict.outcome is Outcome.GRADED


def test_who_leaves_something_behind(field, isolating):
    attacks = field.attack(isolating, "limpet", *LEAVING, seconds=20, processes=40)
    kept = {mode: (attack.folder / "submission/submission.csv") for mode, attack in attacks.items()}
    before = {mode: path.read_text() for mode, path in kept.items() if path.exists()}
    time.sleep(0.3)
    assert before == {mode: path.read_text() for mode, path in kept.items() if path.exists()}
    assert before.keys() == {"daemon", "daemon_beside_a_crash"}
    for mode, attack in attacks.items():
        expected = Reason.CRASHED if mode == "daemon_beside_a_crash" else Reason.FINISHED
        assert attack.run.ending.reason is expected, (mode, attack.run.ending, attack.log)
        assert attack.run.ending.seconds < 15, mode
    assert attacks["killing_all"].attempts
    assert attacks["other_forwarder"].attempts
