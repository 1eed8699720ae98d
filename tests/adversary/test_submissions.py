"""Odd files in place of a submission break nothing, and the harness takes nothing of the host for one."""

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


def test_odd_submissions_get_their_verdicts(attack, isolating, host):
    attacks = attack(isolating, "submissions", *VERDICTS, seconds=60, disk=200 * GiB)
    for mode, done in attacks.items():
        assert done.run.ending.reason is Reason.FINISHED, (mode, done.log)
        assert done.gained == {}, mode
        assert done.run.verdict.outcome is VERDICTS[mode], (mode, done.run.verdict)
        if mode in REFUSED:
            why = done.refusals().get("submission.csv", "nothing")
            assert REFUSED[mode] in why, (mode, done.events)
    for mode in ("device", "hard_link_to_data", "moved_away"):
        assert attacks[mode].attempts, mode
    assert host.is_unharmed()
    assert_nothing_is_of_the_host(attack)


def test_a_run_with_paths_too_long_to_measure_is_ended_or_their_files_refused(attack, isolating):
    done = attack(isolating, "submissions", "long_paths")["long_paths"]
    assert done.run.ending.reason in (Reason.FINISHED, Reason.DISK)
    assert done.run.verdict.outcome is Outcome.GRADED
    assert any("longer than" in why for why in done.refusals().values())


def test_collecting_stops_at_the_limit_of_files(attack, isolating, monkeypatch):
    monkeypatch.setitem(COLLECTED, "code", (GiB, 1000))
    done = attack(isolating, "submissions", "many_files")["many_files"]
    assert done.run.verdict.outcome is Outcome.GRADED
    assert sum(len(names) for _, _, names in os.walk(done.folder / "code")) <= 1000
    assert "files" in " ".join(done.refusals().values())


def test_sparse_files_take_no_disk_outside_either(attack, isolating):
    done = attack(isolating, "submissions", "many_huge", disk=256 * MiB)["many_huge"]
    taken = sum(path.lstat().st_blocks * 512 for path in done.folder.rglob("*"))
    assert taken <= 256 * MiB + size_allowed(attack.host.competition.sample_submission)
    assert done.run.refused_files
    assert done.run.verdict.outcome is not Outcome.FAILED


@pytest.mark.parametrize("mode", ["racing_link", "racing_pipe", "racing_folder"])
def test_replacing_a_file_while_it_is_read_gains_nothing(attack, isolating, host, mode):
    done = attack(isolating, "submissions", mode, seconds=4, grace=0.5, cpus=2)[mode]
    assert done.run.verdict.outcome in (Outcome.GRADED, Outcome.MISSING)
    assert host.is_unharmed()
    assert_nothing_is_of_the_host(attack)


def assert_nothing_is_of_the_host(attack):
    """Check that no kept file is a link or has the contents of answers or secrets."""
    targets = attack.host.targets
    forbidden = [Path(path).read_bytes() for path in targets["answers"] + targets["secrets"]]
    kept = [path for path in attack.runs.glob("group-*/*/attempts/**/*") if not path.is_dir()]
    assert kept
    for path in kept:
        assert not path.is_symlink()
        with path.open("rb") as file:
            assert file.read(1 << 20) not in forbidden, path
