"""What holds a job together: a keeper knows all processes of one job, and can signal or kill every one of them.

There are three: the first process of a PID namespace (bubblewrap), a minder that adopts orphans (`inside.py`
where there is no namespace), and a container (in `container.py`).
"""

from __future__ import annotations

import os
import selectors
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from mlebench.sandbox.process_table import Process, list_descendants, send_signal
from mlebench.sandbox.tokens import list_marked_processes

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping

    from mlebench.sandbox.cgroup import ControlGroup
    from mlebench.sandbox.ending import Reason

KILL_SECONDS = 30.0
"""How long to go on killing; only a process stuck in the kernel survives that."""


class Keeper(Protocol):
    """Holds one job together, from before its start to after its end."""

    @property
    def group(self) -> ControlGroup | None:
        """The control group that somebody else made for the job, where it can be read."""
        ...

    def started(self, process: subprocess.Popen[bytes]) -> None:
        """Take note of the process that the harness started."""
        ...

    def told(self, facts: Mapping[str, Any]) -> None:
        """Take note of what the sandbox said on its status channel."""
        ...

    def processes(self) -> list[Process]:
        """Return the job's living processes, as far as they can be seen."""
        ...

    def memory_files(self) -> int:
        """Return the bytes that the job keeps in file systems of its own that live in memory."""
        ...

    def terminate(self) -> None:
        """Send SIGTERM to all processes of the job."""
        ...

    def kill(self) -> bool:
        """Kill all processes of the job; tell whether none is left."""
        ...

    def explain(self) -> tuple[Reason, str] | None:
        """Return how the job ended and a sentence, where it should have said so itself and did not."""
        ...

    def close(self) -> None:
        """Let go of what is open."""
        ...


class Held:
    """One living process, held by a descriptor, so that its number cannot come to mean another process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._descriptor = os.pidfd_open(pid)

    def close(self) -> None:
        """Let go."""
        os.close(self._descriptor)

    def has_ended(self, seconds: float = 0.0) -> bool:
        """Wait for the end; tell whether it came."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._descriptor, selectors.EVENT_READ)
            return bool(selector.select(seconds))

    def descendants(self) -> list[Process]:
        """Return the living processes below this one."""
        found = list_descendants(self.pid)
        return [] if self.has_ended() else found

    def kill(self) -> None:
        """Send SIGKILL."""
        with suppress(OSError):
            signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)

    def memory_files(self) -> int:
        """Return the bytes in /tmp and /dev/shm as this process sees them."""
        used = 0
        for folder in ("tmp", "dev/shm"):
            with suppress(OSError):
                facts = os.statvfs(f"/proc/{self.pid}/root/{folder}")
                used += (facts.f_blocks - facts.f_bfree) * facts.f_frsize
        return used


class _OwnKeeper:
    """What the keepers of processes on this machine have in common."""

    group: ControlGroup | None = None

    def __init__(self) -> None:
        self.first: Held | None = None

    def processes(self) -> list[Process]:
        return self.first.descendants() if self.first else []

    def terminate(self) -> None:
        for process in self.processes():
            send_signal(process, signal.SIGTERM)

    def explain(self) -> tuple[Reason, str] | None:
        return None

    def close(self) -> None:
        if self.first:
            self.first.close()


class NamespaceKeeper(_OwnKeeper):
    """The first process of the job's PID namespace: when it is killed, the kernel kills all others."""

    def started(self, process: subprocess.Popen[bytes]) -> None:
        pass  # bubblewrap's outer process, which is not in the namespace

    def told(self, facts: Mapping[str, Any]) -> None:
        if "child-pid" in facts and not self.first:
            with suppress(OSError):
                self.first = Held(facts["child-pid"])

    def memory_files(self) -> int:
        return self.first.memory_files() if self.first else 0

    def kill(self) -> bool:
        if not self.first:
            return True
        self.first.kill()
        return self.first.has_ended(KILL_SECONDS)  # the kernel reports its end last


class MinderKeeper(_OwnKeeper):
    """`inside.py` as the ancestor of all: it adopts orphans, so none gets lost."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token

    def started(self, process: subprocess.Popen[bytes]) -> None:
        self.first = Held(process.pid)

    def told(self, facts: Mapping[str, Any]) -> None:
        pass

    def memory_files(self) -> int:
        return 0  # /tmp is everybody's

    def kill(self) -> bool:
        """Kill all below the minder, and strays that carry the job's marker."""
        if not self.first:
            return True
        end = time.monotonic() + KILL_SECONDS
        while time.monotonic() < end:
            left = self.processes()
            left += [stray for stray, _ in list_marked_processes(self._token) if stray.pid != self.first.pid]
            if not left:
                return True
            for process in left:
                send_signal(process, signal.SIGKILL)
            time.sleep(0.005)
        return False
