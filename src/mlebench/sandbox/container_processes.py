"""The processes of a container."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mlebench.errors import EngineError
from mlebench.sandbox.ending import Cause, Reason
from mlebench.sandbox.entrypoint.protocol import TERMINATE
from mlebench.sandbox.kernel.cgroup import ControlGroup
from mlebench.sandbox.kernel.devpts import limit_terminals
from mlebench.sandbox.kernel.memory_mounts import MemoryMounts
from mlebench.sandbox.kernel.process_handle import ProcessHandle
from mlebench.sandbox.supervision.job_processes import KILL_SECONDS
from mlebench.sandbox.supervision.messages import Message, Waiting

if TYPE_CHECKING:
    import subprocess

    from mlebench.sandbox.engine import Engine
    from mlebench.sandbox.kernel.process_table import Process
    from mlebench.sandbox.supervision.channel import SocketChannel

_END_SECONDS = 120.0
"""How long an engine may take to notice that a container has ended, on a machine that is busy."""
_REMOVE_SECONDS = 300.0
"""Timeout for removing a container, as long as one may take to start."""
_POLL_SECONDS = 0.1
_CONFIRM_SECONDS = 2.0
"""Whoever removes a container kills it first. A container that is still there after this time was only killed."""


class ContainerProcesses:
    """The processes of one container. They are visible if the engine runs on this machine.

    Parameters
    ----------
    engine : Engine
        The engine that runs the container.
    name : str
        Name of the container.
    channel : SocketChannel
        Leads to the container's first process.
    """

    def __init__(self, engine: Engine, name: str, channel: SocketChannel) -> None:
        self.engine, self.name = engine, name
        self.control_group: ControlGroup | None = None
        self._channel = channel
        self._first: ProcessHandle | None = None
        self._mounts: MemoryMounts | None = None
        self._is_removed = False

    def on_start(self, process: subprocess.Popen[bytes]) -> None:
        pass  # the engine's client

    def on_message(self, message: Message) -> None:
        if not isinstance(message, Waiting) or message.pid is None:
            return
        with suppress(OSError):
            self._first = ProcessHandle(message.pid)
            self._mounts = MemoryMounts(message.pid)
            self.control_group = ControlGroup.of_process(message.pid)
            if self.control_group:
                self.control_group.limit_sockets()
            limit_terminals(message.pid)

    def list_living(self) -> list[Process]:
        return self._first.list_descendants() if self._first else []

    def measure_unmapped(self) -> int:
        return self._mounts.measure() if self._mounts else 0

    def terminate(self) -> None:
        self._channel.send(TERMINATE)

    def kill(self) -> bool:
        """Kill and remove the container; return whether it is gone."""
        if self._first:
            self._first.kill()
        self.remove()
        return self._is_removed and (self._first is None or self._first.has_ended(KILL_SECONDS))

    def explain_end(self) -> Cause:
        """Return why the container ended without a report: its first process was killed, or the container was lost."""
        lost = Cause(Reason.HARNESS, f"{self.engine.name.capitalize()} lost the container, or somebody removed it.")
        end = time.monotonic() + _END_SECONDS
        has_ended = False
        while True:
            state = self._inspect_state()
            if state is None:
                return lost
            had_ended, has_ended = has_ended, state.get("Status") == "exited"
            if had_ended and has_ended:
                break
            if not has_ended and time.monotonic() > end:
                return lost
            time.sleep(_CONFIRM_SECONDS if has_ended else _POLL_SECONDS)
        if state.get("OOMKilled"):
            return Cause(Reason.MEMORY, "Its first process was killed because memory ran out.")
        return Cause(Reason.CRASHED, "Its first process was killed.")

    def remove(self) -> None:
        """Remove the container, whatever its state; removing it again does nothing."""
        if not self._is_removed:
            self._is_removed = remove_container(self.engine, self.name)

    def close(self) -> None:
        if self._first:
            self._first.close()
        if self._mounts:
            self._mounts.close()

    def _inspect_state(self) -> dict[str, Any] | None:
        """Return the state of the container, or None if it is not there."""
        try:
            state: dict[str, Any] = json.loads(self.engine.call("inspect", "--format", "{{json .State}}", self.name))
        except (EngineError, ValueError):
            return None
        return state


def remove_container(engine: Engine, name: str) -> bool:
    """Kill and remove a container by its name or id; return whether it is gone."""
    no_grace = ("--time", "0") if engine.name == "podman" else ()
    try:
        engine.call("rm", "--force", "--volumes", *no_grace, name, seconds=_REMOVE_SECONDS)
    except EngineError as error:
        return "no such container" in str(error).lower()
    return True
