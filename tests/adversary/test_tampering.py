"""The record shows what happened, whatever an agent prints and leaves, and reading the record is safe."""

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


def test_an_agent_cannot_tamper_with_its_record(attack, isolating, host):
    done = attack.once(isolating, "tampering", seconds=80, warning=78, disk=400 * MiB, memory=1024 * MiB)
    assert done.run.ending.reason is Reason.FINISHED, done.log
    assert done.gained == {}
    assert done.untried == {}
    assert done.run.verdict.outcome is Outcome.GRADED
    assert host.is_unharmed()

    # Lines that look like events are in the log only.
    kinds = [event["kind"] for event in done.events]
    assert kinds.count("graded") == kinds.count("ended") == kinds.count("started") == 1
    assert kinds[0] == "run"
    assert kinds[-1] == "recorded"

    # Odd names are kept; links and files that are too deep are refused.
    assert (done.folder / "code/new\nline").read_bytes() == b"x"
    assert (done.folder / "code" / os.fsdecode(b"\xff\xfe not text")).exists()
    refusals = done.refusals()
    assert refusals["new\nline"] == "a symbolic link"
    assert any("nested deeper" in why for why in refusals.values())
    assert done.run.refused_files > 20
    assert (done.folder / "code/setuid").stat().st_mode & 0o7777 == 0o644
    assert (done.folder / "code/code.tar").is_file()
    assert not list(host.folder.rglob("escaped*"))
    assert not Path("/tmp/escaped-from-tar").exists()

    # The harness does not write its warning through a link, and says so.
    warning = next(event for event in done.events if event["kind"] == "warning")
    assert warning["written"] is False

    # A file with an old time and the same size still counts as changed.
    sizes = [snapshot.bytes for snapshot in read_snapshots(done.folder)]
    sample = host.competition.sample_submission.stat().st_size
    assert sizes.count(sample) >= 2, sizes

    story = story_of(done)
    assert "\x1b" not in story
    assert "\x07" not in story
    assert not [line for line in story.splitlines() if "gold medal" in line and "REFUSED" not in line]
    assert all(" s  " in line[:20] for line in story.splitlines())
    assert "<script>alert" not in page_of(done.folder.parents[2])
    assert verify(done.folder.parents[1]) == []


def story_of(done):
    """Return what `mlebench log` prints about a run."""
    command = [sys.executable, "-m", "mlebench", "log", str(done.folder.parents[1])]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def page_of(group):
    """Return the page that `mlebench report` writes for a group."""
    command = [sys.executable, "-m", "mlebench", "report", str(group), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=group)
    assert done.returncode == 0, done.stderr
    json.loads(done.stdout)
    return "".join(path.read_text() for path in group.glob("*.html"))
