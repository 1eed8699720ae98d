"""Cleaning up after a harness that was itself killed."""

from __future__ import annotations

import shutil
import signal
import tempfile
from contextlib import suppress
from pathlib import Path

from mlebench.errors import EngineError
from mlebench.sandbox.cgroup import ControlGroup
from mlebench.sandbox.container import LABEL, STAGE, remove
from mlebench.sandbox.engine import ENGINES, Engine
from mlebench.sandbox.process_table import send_signal
from mlebench.sandbox.tokens import is_orphaned, list_marked_processes

_PATIENCE = 5.0
"""Seconds for an engine to answer; one that does not has nothing of ours running that would not end by itself."""


def kill_orphans() -> int:
    """Kill what harness processes that are gone have left running; return how many there were.

    Bubblewrap, the minder and the first process of a container end with the harness, so there is rarely
    anything but a container that has ended and a folder of small files. What belongs to a harness that is
    alive, or lives in another container, is left alone.
    """
    killed = 0
    for group in ControlGroup.orphans():
        killed += len(group.members())
        group.kill()
        group.remove()
    for name in ENGINES:
        killed += _sweep_containers(Engine(name))
    for folder in Path(tempfile.gettempdir()).glob(f"{STAGE}*"):
        if is_orphaned(folder.name.removeprefix(STAGE)):
            shutil.rmtree(folder, ignore_errors=True)
    while strays := [stray for stray, job in list_marked_processes() if is_orphaned(job)]:
        killed += sum(send_signal(stray, signal.SIGKILL) for stray in strays)
    return killed


def _sweep_containers(engine: Engine) -> int:
    removed = 0
    with suppress(EngineError):  # it is not installed, or not running
        for identity, token in engine.list_containers(LABEL, _PATIENCE).items():
            if is_orphaned(token):
                removed += remove(engine, identity)
    return removed
