"""Answers, keys, the harness and the host are neither visible nor reachable."""

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


def test_no_server_is_reached(attack, isolating, host):
    done = attack.once(isolating, "network")
    assert done.run.ending.reason is Reason.FINISHED, done.log
    assert done.gained == {}
    assert done.untried.keys() <= {"server_by_ipv6", "packages"}
    assert host.calls == []
