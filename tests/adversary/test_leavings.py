"""Whatever lies in place of a submission, or beside it: nothing of the host is taken in, and nothing breaks."""

import os
from pathlib import Path

import pytest

from mlebench.grading.intake import size_allowed
from mlebench.grading.reports import Outcome
from mlebench.runs.attempt import COLLECTED
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import GiB, MiB

VERDICTS = {
    "link_to_answers": Outcome.MISSING,
    "link_to_sample": Outcome.MISSING,
    "link_to_itself": Outcome.MISSING,
    "pipe": Outcome.MISSING,
    "folder": Outcome.INVALID,
    "listening": Outcome.MISSING,
    "device": Outcome.MISSING,
    "hard_link": Outcome.MISSING,
    "hard_link_to_data": Outcome.MISSING,
    "huge": Outcome.MISSING,
    "moved_away": Outcome.MISSING,
    "other_name": Outcome.MISSING,
    "closed": Outcome.GRADED,
    "leased": Outcome.GRADED,
    "compressed": Outcome.INVALID,
    "wide": Outcome.INVALID,
    "script_in_a_name": Outcome.INVALID,
}
REFUSED = {
    "link_to_answers": "a symbolic link",
    "link_to_sample": "a symbolic link",
    "link_to_itself": "a symbolic link",
    "pipe": "a named pipe",
    "listening": "a socket",
    "hard_link": "a hard link",
    "huge": "exceed the maximum",
}


def test_odd_submissions(field, isolating, host):
    attacks = field.attack(isolating, "leaver", *VERDICTS, seconds=30, disk=200 * GiB)
    for mode, attack in attacks.items():
        assert attack.run.ending.reason is Reason.FINISHED, (mode, attack.log)
        assert attack.gained == {}, mode
        assert attack.run.verdict.outcome is VERDICTS[mode], (mode, attack.run.verdict)
        if mode in REFUSED:
            why = attack.refusals().get("submission.csv", "nothing")
            assert REFUSED[mode] in why, (mode, attack.events)
    for mode in ("device", "hard_link_to_data", "moved_away"):
        assert attacks[mode].attempts, mode
    assert host.is_unharmed()
    assert_nothing_of_the_host(field)


def test_paths_that_are_too_long(field, isolating):
    """They hide bytes from being counted, so whoever is seen with them is ended."""
    attack = field.attack(isolating, "leaver", "long_paths")["long_paths"]
    assert attack.run.ending.reason in (Reason.FINISHED, Reason.DISK)
    assert attack.run.verdict.outcome is Outcome.GRADED
    assert any("longer than" in why for why in attack.refusals().values())


def test_more_files_than_are_collected(field, isolating, monkeypatch):
    monkeypatch.setitem(COLLECTED, "code", (GiB, 1000))
    attack = field.attack(isolating, "leaver", "many_files")["many_files"]
    assert attack.run.verdict.outcome is Outcome.GRADED
    assert sum(len(names) for _, _, names in os.walk(attack.folder / "code")) <= 1000
    assert "files" in " ".join(attack.refusals().values())


def test_what_takes_no_room_inside_takes_none_outside(field, isolating):
    attack = field.attack(isolating, "leaver", "many_huge", disk=256 * MiB)["many_huge"]
    taken = sum(path.lstat().st_blocks * 512 for path in attack.folder.rglob("*"))
    assert taken <= 256 * MiB + size_allowed(field.host.competition.sample_submission)
    assert attack.run.refused_files
    assert attack.run.verdict.outcome is not Outcome.FAILED


@pytest.mark.parametrize("mode", ["racing_link", "racing_pipe", "racing_folder"])
def test_racing(field, isolating, host, mode):
    attack = field.attack(isolating, "leaver", mode, seconds=4, grace=0.5, cpus=2)[mode]
    assert attack.run.verdict.outcome in (Outcome.GRADED, Outcome.MISSING)
    assert host.is_unharmed()
    assert_nothing_of_the_host(field)


def assert_nothing_of_the_host(field):
    """Nothing that was kept is a link, and nothing holds what the answers hold."""
    taboo = [Path(path).read_bytes() for path in field.host.targets["answers"] + field.host.targets["secrets"]]
    kept = [path for path in field.runs.glob("group-*/*/attempts/**/*") if not path.is_dir()]
    assert kept
    for path in kept:
        assert not path.is_symlink()
        with path.open("rb") as file:
            assert file.read(1 << 20) not in taboo, path
