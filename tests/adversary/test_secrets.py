"""Answers, keys, the harness and the host stay out of sight and out of reach."""

from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Reason


def test_nothing_is_found(field, isolating, host):
    attack = field.alone(isolating, "seeker")
    assert attack.run.ending.reason is Reason.FINISHED, attack.log
    assert attack.run.verdict.outcome is Outcome.MISSING
    assert attack.gained == {}
    assert attack.untried == {}
    assert host.is_unharmed()


def test_no_way_out_of_the_kernels_doors(field, isolating, host):
    attack = field.alone(isolating, "breaker")
    assert attack.run.ending.reason is Reason.FINISHED, attack.log
    assert attack.gained == {}
    assert attack.untried.keys() <= {"setuid_program", "all_processors", "user_namespace_by_program"}
    assert host.is_unharmed()


def test_nobody_is_reached(field, isolating, host):
    attack = field.alone(isolating, "caller")
    assert attack.run.ending.reason is Reason.FINISHED, attack.log
    assert attack.gained == {}
    assert attack.untried.keys() <= {"server_by_ipv6", "packages"}
    assert host.calls == []
