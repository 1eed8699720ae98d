"""Whatever an agent takes too much of: it is held, ended, and the record shows it."""

import pytest

from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import MiB

LIMITS = {"seconds": 30, "processes": 48, "memory": 256 * MiB, "disk": 48 * MiB, "log": MiB}
WORDS = tuple(str(LIMITS[name]) for name in ("processes", "memory", "disk", "log"))


def test_processes(field, enforced):
    attacks = field.attack(enforced, "glutton", "fork_bomb", "threads", words=WORDS, **LIMITS)
    for mode, attack in attacks.items():
        assert attack.gained == {}, mode
        assert "processes" in attack.limits_met(), (mode, attack.events)


def test_memory(field, enforced):
    modes = ("memory", "memory_of_children", "nameless_memory", "mapped_memory")
    for mode, attack in field.attack(enforced, "glutton", *modes, words=WORDS, **LIMITS).items():
        assert attack.gained == {}, mode
        assert attack.run.ending.reason in (Reason.MEMORY, Reason.CRASHED), (mode, attack.run.ending, attack.log)
        assert "memory" in attack.limits_met(), (mode, attack.events)
        assert attack.run.ending.peak_memory < 3 * LIMITS["memory"], mode


def test_files_in_memory(field, enforced):
    modes = ("temporary", "shared_memory", "detached_memory")
    for mode, attack in field.attack(enforced, "glutton", *modes, words=WORDS, **LIMITS).items():
        assert attack.gained == {}, mode
        assert attack.attempts or "memory" in attack.limits_met(), (mode, attack.events)


def test_disk(field, isolating):
    modes = ("disk", "small_files", "deleted", "deleted_but_mapped", "hidden", "deep", "empty_files")
    for mode, attack in field.attack(isolating, "glutton", *modes, words=WORDS, **LIMITS).items():
        assert attack.gained == {}, mode
        assert attack.run.ending.reason is Reason.DISK, (mode, attack.run.ending, attack.log[-500:])
        assert attack.limits_met() == {"disk"}, mode
        assert attack.run.verdict.outcome is Outcome.MISSING, mode


def test_log(field, isolating):
    for mode, attack in field.attack(isolating, "glutton", "log", "log_of_children", words=WORDS, **LIMITS).items():
        assert attack.run.ending.reason is Reason.FINISHED, mode
        assert attack.limits_met() == {"log"}, mode
        assert (attack.folder / "run.log").stat().st_size < LIMITS["log"] + 1000


@pytest.mark.parametrize("mode", ["many_open", "sockets"])
def test_open_files(field, enforced, mode):
    attack = field.attack(enforced, "glutton", mode, words=WORDS, **LIMITS | {"seconds": 8})[mode]
    assert attack.gained == {}
