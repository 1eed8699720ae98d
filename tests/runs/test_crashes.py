"""A harness that is killed between any two writes leaves a group without findings, and so does the next command."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from mlebench.runs.group import run_group
from mlebench.runs.reader import read_record
from mlebench.runs.record import RunRecord, Status
from mlebench.runs.regrade import regrade
from mlebench.runs.slots import Slots
from mlebench.runs.verify import verify
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.stop import StopSignal

if TYPE_CHECKING:
    from pathlib import Path

RUN = "demo-wine_tested_seed-0"
WRITES = ("open", "os.rename", "os.mkdir", "os.symlink", "os.remove", "os.truncate")


class Inspector:
    """Verifies a folder whenever it is about to change: a kill would leave it in that state.

    It is also the progress of a group, which is told an event right after the event was written.
    """

    def __init__(self, album: Path) -> None:
        self.album = album
        self.copies: dict[tuple[int, ...], Path] = {}
        """Copies of the folder in different states, by numbers of entries in the log, of files and of links."""
        self.inspected = 0
        self.findings: list[object] = []
        self.watched: Path | None = None
        self.stop: StopSignal | None = None
        """Stops the group as soon as an agent has started."""
        self._lock = threading.RLock()
        self._is_busy = False
        sys.addaudithook(self._hook)  # it cannot be removed, but it does nothing when nothing is watched

    @contextlib.contextmanager
    def watch(self, folder: Path, *, keep: bool = False):
        """Inspect a folder during the context, and keep copies of its states."""
        self.watched, self.keep, self.copies = folder, keep, {}
        try:
            yield
        finally:
            self.inspect()
            self.watched = None

    def inspect(self) -> None:
        with self._lock:
            if self._is_busy or self.watched is None or not (self.watched / "metadata.json").exists():
                return
            self._is_busy = True
            self.inspected += 1
            self.findings += [(self.inspected, found) for found in verify(self.watched)]
            if self.keep:
                self._copy(self.watched)
            self._is_busy = False

    def _copy(self, folder: Path) -> None:
        log = folder / "group.jsonl"
        entries = log.read_text().count("\n") if log.exists() else 0
        state = (entries, len(list(folder.iterdir())), len(list((folder / RUN).glob("*.json"))))
        if state not in self.copies:
            self.copies[state] = self.album / f"{len(list(self.album.iterdir())):03}"
            shutil.copytree(folder, self.copies[state], symlinks=True)

    def _hook(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.watched is None or event not in WRITES:
            return
        is_write = event != "open" or (isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR))
        if is_write and any(str(name).startswith(str(self.watched)) for name in arguments[:2]):
            self.inspect()

    def event(self, run: RunRecord, kind: str, /, **facts: object) -> None:
        self.inspect()
        if kind == "started" and self.stop is not None:
            self.stop.request(Reason.STOPPED)

    def started(self, run: RunRecord) -> None:
        self.inspect()

    def finished(self, run: RunRecord) -> None:
        self.inspect()


@pytest.fixture
def inspector(tmp_path):
    (tmp_path / "album").mkdir()
    return Inspector(tmp_path / "album")


def test_no_kill_leaves_a_finding_and_every_group_can_be_completed(arena, submit, inspector, tmp_path):
    plan = arena.plan(arena.agent("tested", submit))
    folder = tmp_path / "runs" / "group"

    def run(folder):
        run_group(plan, folder, arena.registry, slots=Slots(1), progress=inspector, stop=inspector.stop)
        return read_record(folder / RUN / "run.json", RunRecord)

    inspector.stop = StopSignal()
    with inspector.watch(folder):
        assert run(folder).status is Status.PLANNED
    inspector.stop = None
    with inspector.watch(folder, keep=True):
        assert run(folder).status is Status.GRADED
    states = list(inspector.copies.values())
    with inspector.watch(folder, keep=True):
        regrade(folder, data_dir=arena.registry.get_data_dir())
    states += inspector.copies.values()
    assert inspector.findings == []
    assert inspector.inspected > 100

    share = int(os.environ.get("MLEBENCH_SHARE", "4"))  # 1 continues from all states, which takes long
    for state in states[::share]:
        continued = tmp_path / "runs" / state.name
        shutil.copytree(state, continued, symlinks=True)
        with inspector.watch(continued):
            assert run(continued).status is Status.GRADED
        assert inspector.findings == [], state
        assert [path.name for path in continued.rglob(".*") if path.name != ".lock"] == []


def test_a_group_has_no_findings_while_it_runs(arena, twice):
    found, over = [], threading.Event()

    def watch():
        folder = arena.folder / "runs" / "group"
        while not over.is_set():
            if (folder / "metadata.json").exists():
                found.extend(verify(folder))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        arena.run(arena.plan(arena.agent("tested", twice), seeds=3), parallel=3)
    finally:
        over.set()
        thread.join()
    assert found == []
