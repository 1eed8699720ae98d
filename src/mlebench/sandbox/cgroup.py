"""Control groups: limits on memory, processes and CPU time that the kernel enforces (versions 1 and 2)."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.sandbox.plan import OWN_PROCESSES
from mlebench.sandbox.tokens import is_orphaned

if TYPE_CHECKING:
    from mlebench.sandbox.limits import Limits

CONTROLLERS = ("memory", "pids", "cpu")
_MOUNTS = Path("/proc/self/mounts")
_PREFIX = "mlebench-"
_PERIOD = 100_000


class ControlGroup:
    """One group of processes, in one folder (version 2) or in a folder a controller (version 1)."""

    def __init__(self, folders: dict[str, Path], version: int) -> None:
        self.folders = folders
        """By controller; version 2 has the same folder for all."""
        self.version = version

    @classmethod
    def create(cls, token: str, limits: Limits, mounts: Path = _MOUNTS) -> ControlGroup | None:
        """Make a group with these limits, or return None where that is not allowed."""
        roots, version = _roots(mounts)
        folders: dict[str, Path] = {}
        for controller, root in roots.items():
            with suppress(OSError):
                if version == 2:
                    (root / "cgroup.subtree_control").write_text(f"+{controller}")
                folder = root / (_PREFIX + token)
                folder.mkdir(exist_ok=True)
                folders[controller] = folder
        group = cls(folders, version)
        if {"memory", "pids"} <= folders.keys():
            with suppress(OSError):
                group._limit(limits)
                return group
        group.remove()
        return None

    @classmethod
    def of(cls, pid: int, mounts: Path = _MOUNTS) -> ControlGroup | None:
        """Return the group that a process is in, to read from, or None where it is out of sight."""
        roots, version = _roots(mounts)
        folders: dict[str, Path] = {}
        with suppress(OSError):
            for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines():
                _, controllers, path = line.split(":", 2)
                for controller in controllers.split(",") if version == 1 else roots:
                    if controller in roots and (version == 1 or not controllers):
                        folders[controller] = roots[controller] / path.lstrip("/")
        return cls(folders, version) if folders.keys() >= {"memory", "pids"} and folders["memory"].is_dir() else None

    @classmethod
    def orphans(cls, mounts: Path = _MOUNTS) -> list[ControlGroup]:
        """Return the groups of harness processes that are gone."""
        roots, version = _roots(mounts)
        found: dict[str, dict[str, Path]] = {}
        for controller, root in roots.items():
            for folder in root.glob(f"{_PREFIX}*"):
                if is_orphaned(folder.name.removeprefix(_PREFIX)):
                    found.setdefault(folder.name, {})[controller] = folder
        return [cls(folders, version) for folders in found.values()]

    def _limit(self, limits: Limits) -> None:
        old = self.version == 1
        if limits.memory is not None:
            self._write("memory", "memory.limit_in_bytes" if old else "memory.max", limits.memory)
            with suppress(OSError):  # not there without swap accounting
                if old:
                    self._write("memory", "memory.memsw.limit_in_bytes", limits.memory)
                else:
                    self._write("memory", "memory.swap.max", 0)
        if limits.processes is not None:
            self._write("pids", "pids.max", limits.processes + OWN_PROCESSES)
        if limits.cpus is not None and "cpu" in self.folders:
            quota = max(1000, round(limits.cpus * _PERIOD))
            if old:
                self._write("cpu", "cpu.cfs_period_us", _PERIOD)
                self._write("cpu", "cpu.cfs_quota_us", quota)
            else:
                self._write("cpu", "cpu.max", f"{quota} {_PERIOD}")

    def joining(self, arguments: tuple[str, ...]) -> tuple[str, ...]:
        """Return a command that joins the group and then becomes the one given."""
        lists = [str(folder / "cgroup.procs") for folder in self._distinct()]
        script = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 97; shift; done; shift; exec "$@"'
        return ("/bin/sh", "-c", script, "sh", *lists, "--", *arguments)

    def memory(self) -> int:
        """Return the bytes that the processes hold, without the kernel's cache of files."""
        names = (b"total_rss", b"total_shmem") if self.version == 1 else (b"anon", b"shmem")
        return sum(self._fact("memory", "memory.stat", name) for name in names)

    def out_of_memory_kills(self) -> int:
        """Return how many processes the kernel killed because memory ran out."""
        file = "memory.oom_control" if self.version == 1 else "memory.events"
        return self._fact("memory", file, b"oom_kill")

    def refused_processes(self) -> int:
        """Return how often the kernel refused to start a process."""
        return self._fact("pids", "pids.events", b"max")

    def kill(self, patience: float = 30.0) -> bool:
        """Kill every member until none is left; tell whether that worked."""
        end = time.monotonic() + patience
        while members := self.members():
            for pid in members:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            if time.monotonic() > end:
                return False
            time.sleep(0.005)
        return True

    def remove(self) -> None:
        """Remove the group; it must be empty."""
        for folder in self._distinct():
            for _ in range(50):  # the kernel may take a moment to see that the last member is gone
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.01)
                else:
                    break

    def _distinct(self) -> list[Path]:
        return list(dict.fromkeys(self.folders.values()))

    def members(self) -> set[int]:
        """Return the process numbers of the members."""
        members: set[int] = set()
        for folder in self._distinct():
            with suppress(OSError):
                members.update(int(line) for line in (folder / "cgroup.procs").read_text().split())
        return members

    def _write(self, controller: str, name: str, value: object) -> None:
        (self.folders[controller] / name).write_text(str(value))

    def _fact(self, controller: str, name: str, key: bytes) -> int:
        with suppress(OSError):
            for line in (self.folders[controller] / name).read_bytes().splitlines():
                words = line.split()
                if words[0] == key:
                    return int(words[1])
        return 0


def version_in_use(mounts: Path = _MOUNTS) -> int:
    """Return which version of control groups this machine limits memory with."""
    return _roots(mounts)[1]


def _roots(mounts: Path) -> tuple[dict[str, Path], int]:
    """Find the top folder of each controller, by the table of mounts.

    Groups are made at the top, as a container engine does. A harness that is itself confined may not write
    there; then there is no group, and the supervisor measures by itself.
    """
    old: dict[str, Path] = {}
    new: dict[str, Path] = {}
    for line in mounts.read_text().splitlines():
        _, folder, kind, options = line.split()[:4]
        if kind == "cgroup":
            for controller in set(CONTROLLERS) & set(options.split(",")):
                old[controller] = Path(folder)
        elif kind == "cgroup2":
            with suppress(OSError):
                available = (Path(folder) / "cgroup.controllers").read_text().split()
                new = {name: Path(folder) for name in CONTROLLERS if name in available}
    return (new, 2) if "memory" in new else (old, 1)
