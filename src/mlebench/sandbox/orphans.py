"""Cleans up after a harness that was killed."""

from __future__ import annotations

import shutil
import signal
import tempfile
from contextlib import suppress
from pathlib import Path

from mlebench.errors import EngineError
from mlebench.sandbox.container import STAGE_PREFIX, TOKEN_LABEL
from mlebench.sandbox.container_processes import remove_container
from mlebench.sandbox.engine import ENGINES, Engine
from mlebench.sandbox.kernel.cgroup import ControlGroup
from mlebench.sandbox.kernel.process_table import send_signal
from mlebench.sandbox.tokens import is_orphaned, list_marked_processes

_ENGINE_SECONDS = 20.0
"""Timeout for an engine. One that does not answer runs nothing of ours that would not end by itself."""


def kill_orphans() -> int:
    """Kill and remove what dead harness processes have left; return how many processes and containers there were.

    bubblewrap, the subreaper and the first process of a container end with the harness, so there is rarely more than
    an ended container and a folder of small files. Jobs of living harnesses, and of harnesses in other containers, are
    not touched.
    """
    killed = 0
    for group in ControlGroup.list_orphans():
        killed += len(group.members())
        group.kill()
        group.remove()
    for name in ENGINES:
        killed += _remove_containers(Engine(name))
    for folder in Path(tempfile.gettempdir()).glob(f"{STAGE_PREFIX}*"):
        if is_orphaned(folder.name.removeprefix(STAGE_PREFIX)):
            shutil.rmtree(folder, ignore_errors=True)
    while orphans := [mark.process for mark in list_marked_processes() if is_orphaned(mark.token)]:
        killed += sum(send_signal(process, signal.SIGKILL) for process in orphans)
    return killed


def _remove_containers(engine: Engine) -> int:
    removed = 0
    with suppress(EngineError):  # the engine is not installed, or does not answer
        for container, token in engine.list_containers(TOKEN_LABEL, _ENGINE_SECONDS).items():
            if is_orphaned(token):
                removed += remove_container(engine, container)
    return removed
