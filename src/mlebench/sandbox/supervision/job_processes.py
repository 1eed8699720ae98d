"""All processes of one job: list them, signal them, and kill every one of them.

Three things can hold the processes of a job together: a PID namespace (bubblewrap), a subreaper that adopts orphans
(a plain process), and a container (`container_processes.py`).
"""

from __future__ import annotations

import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from mlebench.sandbox.kernel.devpts import limit_terminals
from mlebench.sandbox.kernel.memory_mounts import MemoryMounts
from mlebench.sandbox.kernel.process_handle import ProcessHandle
from mlebench.sandbox.kernel.process_table import Process, send_signal
from mlebench.sandbox.kernel.socket_memory import SocketMeter
from mlebench.sandbox.supervision.messages import Message, NamespaceStarted, Waiting
from mlebench.sandbox.tokens import list_marked_processes

if TYPE_CHECKING:
    import subprocess

    from mlebench.sandbox.ending import Cause
    from mlebench.sandbox.kernel.cgroup import ControlGroup

KILL_SECONDS = 120.0
"""How long to keep killing. Only a process stuck in the kernel survives that."""
_KILL_INTERVAL = 0.005


class JobProcesses(Protocol):
    """The processes of one job, from before its start until after its end."""

    @property
    def control_group(self) -> ControlGroup | None:
        """The control group that a container engine made for the job, if it can be read."""
        ...

    def on_start(self, process: subprocess.Popen[bytes]) -> None:
        """Take the process that the harness has started."""
        ...

    def on_message(self, message: Message) -> None:
        """Take a message from the sandbox."""
        ...

    def list_living(self) -> list[Process]:
        """Return the living processes of the job, as far as the harness can see them."""
        ...

    def measure_unmapped(self) -> int:
        """Return the bytes of memory in the job's own file systems and sockets, which no process has mapped."""
        ...

    def terminate(self) -> None:
        """Send SIGTERM to all processes of the job."""
        ...

    def kill(self) -> bool:
        """Kill all processes of the job; return whether none is left."""
        ...

    def explain_end(self) -> Cause | None:
        """Return why the job ended without reporting its end, or None if no report was due."""
        ...

    def close(self) -> None:
        """Close what is open."""
        ...


class _LocalProcesses:
    """Processes below one process of this machine."""

    control_group: ControlGroup | None = None

    def __init__(self) -> None:
        self.first: ProcessHandle | None = None

    def list_living(self) -> list[Process]:
        return self.first.list_descendants() if self.first else []

    def terminate(self) -> None:
        for process in self.list_living():
            send_signal(process, signal.SIGTERM)

    def explain_end(self) -> Cause | None:
        return None

    def close(self) -> None:
        if self.first:
            self.first.close()


class NamespaceProcesses(_LocalProcesses):
    """The processes of a PID namespace: when the first is killed, the kernel kills all others."""

    def __init__(self) -> None:
        super().__init__()
        self._sources: tuple[MemoryMounts | SocketMeter, ...] = ()

    def on_start(self, process: subprocess.Popen[bytes]) -> None:
        pass  # bubblewrap's outer process, which is not in the namespace

    def on_message(self, message: Message) -> None:
        if isinstance(message, NamespaceStarted) and not self.first:
            with suppress(OSError):
                self.first = ProcessHandle(message.pid)
        elif isinstance(message, Waiting) and self.first:
            # Before that, the first process may still see the host's /tmp.
            self._sources = (MemoryMounts(self.first.pid), SocketMeter(self.first.pid))
            limit_terminals(self.first.pid)

    def measure_unmapped(self) -> int:
        return sum(source.measure() for source in self._sources)

    def kill(self) -> bool:
        if not self.first:
            return True
        self.first.kill()
        return self.first.has_ended(KILL_SECONDS)  # it ends last

    def close(self) -> None:
        super().close()
        for source in self._sources:
            source.close()


class SubreaperProcesses(_LocalProcesses):
    """The processes below a subreaper, which adopts orphans."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token

    def on_start(self, process: subprocess.Popen[bytes]) -> None:
        self.first = ProcessHandle(process.pid)

    def on_message(self, message: Message) -> None:
        pass

    def measure_unmapped(self) -> int:
        return 0  # the job shares /tmp and the network with everyone

    def kill(self) -> bool:
        """Kill all processes below the subreaper, and those that carry the job's token."""
        if not self.first:
            return True
        end = time.monotonic() + KILL_SECONDS
        while time.monotonic() < end:
            left = self.list_living()
            left += [mark.process for mark in list_marked_processes(self._token) if mark.process.pid != self.first.pid]
            if not left:
                return True
            for process in left:
                send_signal(process, signal.SIGKILL)
            time.sleep(_KILL_INTERVAL)
        return False
