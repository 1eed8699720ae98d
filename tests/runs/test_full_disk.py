"""A disk that fills up at any step of a run ends the group with an error, and the same call continues it."""

from __future__ import annotations

import errno
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from mlebench.grading.pool import GradingPool
from mlebench.grading.reports import Outcome
from mlebench.ground.files import is_machine_failure
from mlebench.runs.chain import read_chain
from mlebench.runs.events import EventLog, read_events
from mlebench.runs.group import run_group
from mlebench.runs.record import Status
from mlebench.runs.seal import seal
from mlebench.runs.slots import Slots
from mlebench.runs.snapshots import Bounds, Snapshots
from mlebench.runs.verify import verify
from mlebench.sandbox.collect import collect
from mlebench.sandbox.limits import Limits

from ..waiting import wait_until
from .conftest import SUBMIT, Recorder

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow("programs")

MB = 1_000_000

VALID_THEN_NOT = """
import os, shutil, time
from pathlib import Path
target = Path(os.environ["SUBMISSION_DIR"], "submission.csv")
shutil.copy(os.environ["DATA_DIR"] + "/sample_submission.csv", target)
attempts = Path(RUNS).glob("group/*/attempts/*")
last = max(attempts, key=lambda path: int(path.name))
while not list(last.glob("snapshots/*.csv")):
    time.sleep(0.05)
target.write_text("not,yet")
raise SystemExit(1)
"""
"""An agent whose valid submission is replaced by another file, so that it is salvaged."""


def fill(folder: Path) -> None:
    """Leave no space on the disk of a folder."""
    with (folder / "filler").open("wb", buffering=0) as file:
        for size in (MB, 4096, 1):
            with suppress(OSError):
                while True:
                    file.write(bytes(size))


class Filler(Recorder):
    """Fills the disk after the first event of a kind."""

    def __init__(self, folder: Path, kind: str) -> None:
        super().__init__()
        self.folder, self.kind = folder, kind

    def event(self, run: object, kind: str, /, **facts: object) -> None:
        if kind == self.kind:
            self.kind = ""
            fill(self.folder)


@pytest.mark.parametrize(
    "kind",
    ["run", "inputs", "started", "snapshot", "ended", "salvaged", "collected", "sealed", "recorded", "verdict"],
)
def test_a_disk_that_fills_up_during_a_run(kind, arena, disk, monkeypatch):
    def judge_and_fill(grading, path, competition, **options):
        verdict = judge(grading, path, competition, **options)
        if progress.kind == "verdict":
            progress.event(None, "verdict")
        return verdict

    judge = GradingPool.judge
    monkeypatch.setattr(GradingPool, "judge", judge_and_fill)
    with disk(3 * MB) as (place, _):
        progress = Filler(place, kind)
        agent = arena.agent("salvaged", f"RUNS = {str(place)!r}\n{VALID_THEN_NOT}")
        plan = arena.plan(agent, sandbox="process")

        def run(progress):
            return run_group(plan, place / "group", arena.registry, slots=Slots(1), progress=progress)

        with pytest.raises(OSError) as caught:
            run(progress)
        assert caught.value.errno == errno.ENOSPC
        assert str(place) in str(caught.value.filename)
        (place / "filler").unlink()
        (record,) = run(Recorder()).runs.values()
        assert (record.status, record.verdict.outcome, record.incident) == (Status.GRADED, Outcome.GRADED, None)
        assert verify(place / "group") == []
        assert not list(place.glob("**/.partial")) and not list(place.glob("**/.salvaged.csv"))


BUSY = """
import os, time, urllib.error, urllib.request
while True:
    try:
        urllib.request.urlopen(os.environ["VALIDATE_URL"] + "/validate", data=b"x" * 100).close()
    except OSError:
        time.sleep(0.01)
"""
"""An agent that never ends, and makes the harness log events."""


def test_a_full_disk_ends_running_agents_at_once(arena, disk):
    """They have an hour, and a test has less."""
    with disk(3 * MB) as (place, _):
        agent = arena.agent("busy", BUSY)
        plan = arena.plan(agent, sandbox="process", limits=Limits(seconds=3600, grace=1))
        with pytest.raises(OSError) as caught:
            run_group(plan, place / "group", arena.registry, slots=Slots(1), progress=Filler(place, "check"))
        assert caught.value.errno == errno.ENOSPC


def test_a_file_that_cannot_be_collected_as_a_whole_is_not_there(disk, tmp_path):
    (tmp_path / "left").mkdir()
    (tmp_path / "left/submission.csv").write_bytes(bytes(2 * MB))
    with disk(MB) as (place, resize):

        def collect_all():
            told = []
            collect(
                tmp_path / "left",
                place / "submission",
                max_bytes=10 * MB,
                max_files=10,
                events=lambda kind, /, **facts: told.append(kind),
            )
            return told

        with pytest.raises(OSError) as caught:
            collect_all()
        assert caught.value.errno == errno.ENOSPC
        assert list((place / "submission").iterdir()) == []
        resize(5 * MB)
        assert collect_all() == []
        assert (place / "submission/submission.csv").stat().st_size == 2 * MB


def test_a_snapshot_that_was_missed_is_taken_at_the_end_or_the_run_fails(disk, tmp_path):
    watched, told = tmp_path / "submission.csv", []
    with disk(MB) as (place, resize):

        def watch():
            return Snapshots(
                watched, place, events=lambda kind, /, **facts: told.append(kind), bounds=Bounds(period=0.05)
            )

        with pytest.raises(OSError) as caught, watch():
            watched.write_bytes(bytes(2 * MB))
            assert wait_until(lambda: told)
        assert caught.value.errno == errno.ENOSPC
        assert set(told) == {"snapshot_failed"}
        assert list((place / "snapshots").iterdir()) == []
        told.clear()
        with watch() as snapshots:
            assert wait_until(lambda: told)
            resize(5 * MB)
        assert [snapshot.bytes for snapshot in snapshots.taken] == [2 * MB]


def test_a_log_that_misses_an_event_never_looks_complete(disk):
    with disk(64 * 1024) as (place, resize):
        path = place / "events.jsonl"
        with EventLog(path) as log:
            log("run")
        with pytest.raises(OSError, match="space") as caught, EventLog(path, resume=True) as log:
            with pytest.raises(OSError, match="space"):
                log("check", answer="x" * MB)
            resize(5 * MB)
            log("ended")
        assert is_machine_failure(caught.value)
        assert read_chain(path).broken is None
        with EventLog(path, resume=True) as log:
            log("ended")
        assert [event["kind"] for event in read_events(path)] == ["run", "ended"]
        assert read_chain(path).broken is None


def test_a_seal_is_written_as_a_whole(disk):
    with disk(256 * 1024) as (place, _):
        (place / "run.log").touch()
        fill(place)
        with pytest.raises(OSError) as caught:
            seal(place, lambda kind, /, **facts: pytest.fail("it was sealed"))
        assert caught.value.errno == errno.ENOSPC
        assert sorted(path.name for path in place.iterdir()) == ["filler", "run.log"]


def test_an_agent_that_does_not_fit_on_the_disk_is_no_failure_to_repeat(disk, arena):
    agent = arena.agent("large", "pass")
    for name in ("one.bin", "two.bin"):
        (agent.folder / name).write_bytes(bytes(MB))
    with disk(MB) as (place, _):
        with pytest.raises(OSError) as caught:
            agent.copy_to(place / "agent")
        assert is_machine_failure(caught.value)


def test_the_command_line_says_what_to_do_and_the_same_command_continues(disk, arena):
    agent = arena.agent("large", SUBMIT)
    (agent.folder / "agent.yaml").write_text("id: large\ndescription: Large.\ncommand: ['{python}', start.py]\n")
    (agent.folder / "weights.bin").write_bytes(bytes(MB))
    with disk(MB) as (place, resize):
        command = [sys.executable, "-m", "mlebench", "run", "--agent", str(agent.folder), "-c", "demo-wine"]
        command += ["--sandbox", "process", "--runs-dir", str(place), "--group", "group"]
        command += ["--data-dir", str(arena.registry.get_data_dir())]

        def run():
            return subprocess.run(command, capture_output=True, text=True, check=False)

        stopped = run()
        assert stopped.returncode == 3, stopped.stderr
        last = stopped.stderr.splitlines()[-1]
        assert last.startswith(f"mlebench: Cannot use {place}") and "Free disk space" in last
        resize(20 * MB)
        continued = run()
        assert continued.returncode == 0, continued.stderr
        assert verify(place / "group") == []
