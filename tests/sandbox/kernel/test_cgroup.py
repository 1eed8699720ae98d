"""Control groups: the files of version 2, and no group where nothing may be written."""

from __future__ import annotations

import pytest

from mlebench.sandbox.kernel.cgroup import ControlGroup, name_enforcement
from mlebench.sandbox.limits import Limits


def test_version_2_writes_limits_and_reads_counters(tmp_path):
    """Checks the names of the files: a folder stands in for version 2, which not every machine has."""
    (tmp_path / "cgroup.controllers").write_text("cpuset cpu io memory pids\n")
    mounts = tmp_path / "mounts"
    mounts.write_text(f"cgroup2 {tmp_path} cgroup2 rw,nosuid 0 0\n")
    group = ControlGroup.create("t", Limits(memory=1000, processes=10, cpus=1.5), mounts)
    assert group and group.version == 2
    folder = tmp_path / "mlebench-t"
    written = {path.name: path.read_text() for path in folder.iterdir()}
    assert written == {
        "memory.max": "1000",
        "memory.swap.max": "0",
        "pids.max": "18",
        "cpu.max": "150000 100000",
    }
    (folder / "memory.stat").write_text("anon 5\nfile 100\nshmem 7\n")
    (folder / "memory.events").write_text("low 0\noom 3\noom_kill 2\n")
    (folder / "pids.events").write_text("max 4\n")
    assert (group.memory(), group.out_of_memory_kills(), group.refused_processes()) == (12, 2, 4)
    assert group.wrap_command(("true",))[-2:] == ("--", "true")


def test_there_is_no_group_where_nothing_may_be_written(tmp_path):
    mounts = tmp_path / "mounts"
    mounts.write_text(f"cgroup {tmp_path / 'none'} cgroup rw,memory 0 0\n")
    assert ControlGroup.create("t", Limits(), mounts) is None
    assert not ControlGroup.is_allowed(mounts)


@pytest.mark.parametrize(("kind", "expected"), [("cgroup", "cgroup v1"), ("cgroup2", "cgroup v2")])
def test_the_way_to_enforce_limits_has_the_version_of_control_groups(tmp_path, kind, expected):
    (tmp_path / "cgroup.controllers").write_text("memory pids\n")
    mounts = tmp_path / "mounts"
    mounts.write_text(f"{kind} {tmp_path} {kind} rw,memory 0 0\n")
    assert name_enforcement(by_kernel=True, mounts=mounts) == expected
    assert name_enforcement(by_kernel=False, mounts=mounts) == "polling"
