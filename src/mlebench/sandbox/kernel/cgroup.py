"""Control groups (versions 1 and 2): limits on memory, processes and CPU time that the kernel enforces."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mlebench.sandbox.limits import OVERHEAD_PROCESSES, Limits, MiB
from mlebench.sandbox.tokens import is_orphaned, new_token

if TYPE_CHECKING:
    from collections.abc import Mapping

Enforcement = Literal["cgroup v1", "cgroup v2", "polling"]
"""How limits on memory are enforced: by the kernel, or by the harness, which measures and kills."""
ENFORCERS: Mapping[str, str] = {"cgroup v1": "the kernel", "cgroup v2": "the kernel", "polling": "the harness"}
CONTROLLERS = ("memory", "pids", "cpu")
_REQUIRED = {"memory", "pids"}
_MOUNTS = Path("/proc/self/mounts")
_PREFIX = "mlebench-"
_CPU_PERIOD = 100_000
"""Microseconds."""
_MIN_CPU_QUOTA = 1000
"""Microseconds; the kernel takes no less."""
_SOCKET_BYTES = 128 * MiB
_KILL_SECONDS = 120.0
_KILL_INTERVAL = 0.005
_REMOVE_ATTEMPTS = 50
_REMOVE_INTERVAL = 0.01
_JOIN_SCRIPT = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 97; shift; done; shift; exec "$@"'


@dataclass(frozen=True, slots=True)
class _Hierarchy:
    """Where control groups are mounted on this machine."""

    version: int
    roots: dict[str, Path]
    """Top folder of each controller."""


class ControlGroup:
    """A group of processes: one folder in version 2, a folder for each controller in version 1.

    Groups are created at the top of the hierarchy, as container engines do. A harness that is itself confined may not
    write there; then there is no group, and the harness measures its jobs itself.
    """

    def __init__(self, folders: dict[str, Path], version: int) -> None:
        self.folders = folders
        """By controller. In version 2 all have the same folder."""
        self.version = version

    @classmethod
    def create(cls, token: str, limits: Limits, mounts: Path = _MOUNTS) -> ControlGroup | None:
        """Create a group with limits.

        Parameters
        ----------
        token : str
            Token of the job; the group is named after it.
        limits : Limits
            Limits on memory, processes and CPU time.
        mounts : Path
            The table of mounts.

        Returns
        -------
        ControlGroup or None
            None where the harness may not create groups.
        """
        hierarchy = _find_hierarchy(mounts)
        folders: dict[str, Path] = {}
        for controller, root in hierarchy.roots.items():
            with suppress(OSError):
                if hierarchy.version == 2:
                    (root / "cgroup.subtree_control").write_text(f"+{controller}")
                folder = root / (_PREFIX + token)
                folder.mkdir(exist_ok=True)
                folders[controller] = folder
        group = cls(folders, hierarchy.version)
        if folders.keys() >= _REQUIRED:
            with suppress(OSError):
                group._set_limits(limits)
                return group
        group.remove()
        return None

    @classmethod
    def is_allowed(cls, mounts: Path = _MOUNTS) -> bool:
        """Return whether the harness may create groups and set their limits; it creates one and removes it."""
        group = cls.create(new_token(), Limits(memory=MiB, processes=1), mounts)
        if group:
            group.remove()
        return group is not None

    @classmethod
    def of_process(cls, pid: int, mounts: Path = _MOUNTS) -> ControlGroup | None:
        """Return the group of a process, to read from, or None if its folders cannot be found."""
        hierarchy = _find_hierarchy(mounts)
        folders: dict[str, Path] = {}
        with suppress(OSError):
            for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines():
                _, controllers, path = line.split(":", 2)
                for controller in controllers.split(",") if hierarchy.version == 1 else hierarchy.roots:
                    if controller in hierarchy.roots and (hierarchy.version == 1 or not controllers):
                        folders[controller] = hierarchy.roots[controller] / path.lstrip("/")
        if folders.keys() >= _REQUIRED and folders["memory"].is_dir():
            return cls(folders, hierarchy.version)
        return None

    @classmethod
    def list_orphans(cls, mounts: Path = _MOUNTS) -> list[ControlGroup]:
        """Return the groups of harness processes that are gone."""
        hierarchy = _find_hierarchy(mounts)
        found: dict[str, dict[str, Path]] = {}
        for controller, root in hierarchy.roots.items():
            for folder in root.glob(f"{_PREFIX}*"):
                if is_orphaned(folder.name.removeprefix(_PREFIX)):
                    found.setdefault(folder.name, {})[controller] = folder
        return [cls(folders, hierarchy.version) for folders in found.values()]

    def wrap_command(self, argv: tuple[str, ...]) -> tuple[str, ...]:
        """Return a command that joins the group and then becomes `argv`."""
        lists = [str(folder / "cgroup.procs") for folder in self._distinct_folders()]
        return ("/bin/sh", "-c", _JOIN_SCRIPT, "sh", *lists, "--", *argv)

    def memory(self) -> int:
        """Return the bytes that the processes hold, without the kernel's cache of files."""
        keys = (b"total_rss", b"total_shmem") if self.version == 1 else (b"anon", b"shmem")
        return sum(self._read_number("memory", "memory.stat", key) for key in keys)

    def out_of_memory_kills(self) -> int:
        """Return how many processes the kernel has killed because memory ran out."""
        file = "memory.oom_control" if self.version == 1 else "memory.events"
        return self._read_number("memory", file, b"oom_kill")

    def refused_processes(self) -> int:
        """Return how often the kernel has refused to start a process."""
        return self._read_number("pids", "pids.events", b"max")

    def members(self) -> set[int]:
        """Return the ids of the processes in the group."""
        members: set[int] = set()
        for folder in self._distinct_folders():
            with suppress(OSError):
                members.update(int(line) for line in (folder / "cgroup.procs").read_text().split())
        return members

    def kill(self, seconds: float = _KILL_SECONDS) -> bool:
        """Kill the members until none is left, at most this long; return whether that worked."""
        end = time.monotonic() + seconds
        while members := self.members():
            for pid in members:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            if time.monotonic() > end:
                return False
            time.sleep(_KILL_INTERVAL)
        return True

    def remove(self) -> None:
        """Remove the group, which must be empty."""
        for folder in self._distinct_folders():
            for _ in range(_REMOVE_ATTEMPTS):  # the kernel may need a moment to see that the last member is gone
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(_REMOVE_INTERVAL)
                else:
                    break

    def limit_sockets(self) -> None:
        """Limit the memory of network connections, which version 1 counts apart from all other memory.

        All network namespaces share what the machine allows for it, so one job could take it all.
        """
        if self.version == 1:
            with suppress(OSError):
                self._write("memory", "memory.kmem.tcp.limit_in_bytes", _SOCKET_BYTES)

    def _set_limits(self, limits: Limits) -> None:
        is_v1 = self.version == 1
        if limits.memory is not None:
            self._write("memory", "memory.limit_in_bytes" if is_v1 else "memory.max", limits.memory)
            with suppress(OSError):  # these files need swap accounting
                if is_v1:
                    self._write("memory", "memory.memsw.limit_in_bytes", limits.memory)
                else:
                    self._write("memory", "memory.swap.max", 0)
        self.limit_sockets()
        if limits.processes is not None:
            self._write("pids", "pids.max", limits.processes + OVERHEAD_PROCESSES)
        if limits.cpus is not None and "cpu" in self.folders:
            quota = max(_MIN_CPU_QUOTA, round(limits.cpus * _CPU_PERIOD))
            if is_v1:
                self._write("cpu", "cpu.cfs_period_us", _CPU_PERIOD)
                self._write("cpu", "cpu.cfs_quota_us", quota)
            else:
                self._write("cpu", "cpu.max", f"{quota} {_CPU_PERIOD}")

    def _distinct_folders(self) -> list[Path]:
        return list(dict.fromkeys(self.folders.values()))

    def _write(self, controller: str, name: str, value: object) -> None:
        (self.folders[controller] / name).write_text(str(value))

    def _read_number(self, controller: str, name: str, key: bytes) -> int:
        """Return the number behind a key in a file of a controller, or 0."""
        with suppress(OSError):
            for line in (self.folders[controller] / name).read_bytes().splitlines():
                fields = line.split()
                if fields[0] == key:
                    return int(fields[1])
        return 0


def name_enforcement(*, by_kernel: bool, mounts: Path = _MOUNTS) -> Enforcement:
    """Return how limits are enforced, given whether the kernel does it."""
    if not by_kernel:
        return "polling"
    return "cgroup v1" if _find_hierarchy(mounts).version == 1 else "cgroup v2"


def _find_hierarchy(mounts: Path) -> _Hierarchy:
    """Find the top folder of each controller in the table of mounts."""
    v1: dict[str, Path] = {}
    v2: dict[str, Path] = {}
    for line in mounts.read_text().splitlines():
        _, folder, kind, options = line.split()[:4]
        if kind == "cgroup":
            for controller in set(CONTROLLERS) & set(options.split(",")):
                v1[controller] = Path(folder)
        elif kind == "cgroup2":
            with suppress(OSError):
                available = (Path(folder) / "cgroup.controllers").read_text().split()
                v2 = {name: Path(folder) for name in CONTROLLERS if name in available}
    return _Hierarchy(2, v2) if "memory" in v2 else _Hierarchy(1, v1)
