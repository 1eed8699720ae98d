"""Answers, keys, the harness and the host are neither visible nor reachable."""

import os

from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Reason


def test_nothing_is_found(attack, isolating, host):
    done = attack.once(isolating, "discovery")
    assert done.run.ending.reason is Reason.FINISHED, done.log
    assert done.run.verdict.outcome is Outcome.MISSING
    assert done.gained == {}
    assert done.untried == {}
    assert host.is_unharmed()


def test_the_kernel_offers_no_escape(attack, isolating, host):
    done = attack.once(isolating, "escape")
    assert done.run.ending.reason is Reason.FINISHED, done.log
    assert done.gained == {}
    assert done.untried.keys() <= {"setuid_program", "all_processors", "user_namespace_by_program"}
    assert host.is_unharmed()


def test_what_is_left_on_files_is_removed_with_them(attack, isolating):
    done = attack.once(isolating, "marks")  # which checks that no working folder remains
    assert done.run.ending.reason is Reason.FINISHED, done.log
    assert done.gained == {}
    assert done.untried.keys() <= {"input_of_others"}
    kept = [path for path in (done.folder / "code").rglob("*") if path.is_file()]
    assert {path.name for path in kept} >= {"immutable", "capable", "many"}
    assert [path for path in kept if os.listxattr(path)] == []


def test_an_obfuscated_run_does_not_tell_which_competition_it_is(attack, isolating, host):
    name = host.competition.id.encode().hex()
    done = attack.once(isolating, "identity", arguments=(name,), obfuscated=True)
    assert done.run.ending.reason is Reason.FINISHED, done.log
    assert done.gained == {}


def test_no_server_is_reached(attack, isolating, host):
    done = attack.once(isolating, "network")
    assert done.run.ending.reason is Reason.FINISHED, done.log
    assert done.gained == {}
    assert done.untried.keys() <= {"server_by_ipv6", "packages"}
    assert host.calls == []
