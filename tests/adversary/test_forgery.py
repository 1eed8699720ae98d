"""The record tells what happened, whatever the agent says, and reading it harms nobody."""

import json
import os
import subprocess
import sys
from pathlib import Path

from mlebench.grading.reports import Outcome
from mlebench.runs.snapshots import read_snapshots
from mlebench.runs.verify import verify
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import MiB


def test_the_record_is_not_deceived(field, isolating, host):
    attack = field.alone(isolating, "forger", seconds=40, warning=38, disk=400 * MiB, memory=1024 * MiB)
    assert attack.run.ending.reason is Reason.FINISHED, attack.log
    assert attack.gained == {}
    assert attack.untried == {}
    assert attack.run.verdict.outcome is Outcome.GRADED
    assert host.is_unharmed()

    # What it printed is in its log and nowhere else.
    kinds = [event["kind"] for event in attack.events]
    assert kinds.count("graded") == kinds.count("ended") == kinds.count("started") == 1
    assert kinds[0] == "run"
    assert kinds[-1] == "recorded"

    # Names are what they were, links are refused, and what goes too deep too.
    assert (attack.folder / "code/new\nline").read_bytes() == b"x"
    assert (attack.folder / "code" / os.fsdecode(b"\xff\xfe not text")).exists()
    refusals = attack.refusals()
    assert refusals["new\nline"] == "a symbolic link"
    assert any("nested deeper" in why for why in refusals.values())
    assert attack.run.refused_files > 20
    assert (attack.folder / "code/setuid").stat().st_mode & 0o7777 == 0o644
    assert (attack.folder / "code/code.tar").is_file()
    assert not list(field.host.folder.rglob("escaped*"))
    assert not Path("/tmp/escaped-from-tar").exists()

    # The note was not written through the link, and that is told.
    told = next(event for event in attack.events if event["kind"] == "warning")
    assert told["written"] is False

    # A file with old times and the same size is another file all the same.
    sizes = [snapshot.bytes for snapshot in read_snapshots(attack.folder)]
    sample = field.host.competition.sample_submission.stat().st_size
    assert sizes.count(sample) >= 2, sizes

    story = tell(attack)
    assert "\x1b" not in story
    assert "\x07" not in story
    assert not [line for line in story.splitlines() if "gold medal" in line and "REFUSED" not in line]
    assert all(" s  " in line[:20] for line in story.splitlines())
    page = report(attack.folder.parents[2])
    assert "<script>alert" not in page
    assert verify(attack.folder.parents[1]) == []


def tell(attack):
    """Return what `mlebench log` says of a run."""
    command = [sys.executable, "-m", "mlebench", "log", str(attack.folder.parents[1])]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def report(group):
    """Return the page that `mlebench report` makes of a group."""
    command = [sys.executable, "-m", "mlebench", "report", str(group), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=group)
    assert done.returncode == 0, done.stderr
    json.loads(done.stdout)
    return "".join(path.read_text() for path in group.glob("*.html"))
