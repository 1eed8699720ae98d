"""A file system of its own holds no more than its size, and nothing of it remains."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mlebench.sandbox.limits import MiB
from mlebench.sandbox.supervision.disk_meter import DiskMeter
from mlebench.sandbox.volume import is_volume, mounted_volume, unmount_below

LIMIT = 32 * MiB


@pytest.fixture
def needed(tmp_path, require):
    """Skip where no file system can be mounted."""
    with mounted_volume(tmp_path / "tried", LIMIT) as is_mounted:
        require(None if is_mounted else "no file system can be mounted here")


def write(path, size):
    with path.open("wb") as file:
        for _ in range(size // MiB):
            file.write(os.urandom(MiB))


def loops():
    """Return the images that loop devices hold, by what the kernel calls them."""
    return [path.read_text().strip() for path in Path("/sys/block").glob("loop*/loop/backing_file")]


@pytest.mark.slow("programs")
def test_a_volume_holds_its_limit_and_little_more(tmp_path, needed):
    folder = tmp_path / "a folder with \\ and blanks"
    with mounted_volume(folder, LIMIT) as is_mounted:
        assert is_mounted
        assert is_volume(folder)
        assert list(folder.iterdir()) == list(tmp_path.glob(".*")) == []
        write(folder / "first", LIMIT)
        with pytest.raises(OSError, match="No space left"):
            write(folder / "second", LIMIT)
        assert any(str(tmp_path) in name for name in loops())
    assert not is_volume(folder)
    assert list(folder.iterdir()) == []
    assert not any(str(tmp_path) in name for name in loops())


@pytest.mark.slow("programs")
def test_a_volume_has_an_inode_for_each_file_that_the_limit_allows(tmp_path, needed):
    with mounted_volume(tmp_path / "home", LIMIT):
        assert os.statvfs(tmp_path / "home").f_ffree > LIMIT // 4096


@pytest.mark.slow("programs")
def test_what_a_killed_harness_left_mounted_is_unmounted(tmp_path, needed):
    with mounted_volume(tmp_path / "home", LIMIT):
        unmount_below(tmp_path)
        assert not is_volume(tmp_path / "home")


@pytest.mark.parametrize("limit", [None, 1, 1 << 60])
def test_without_a_sensible_limit_the_folder_is_a_normal_one(tmp_path, limit):
    with mounted_volume(tmp_path / "home", limit) as is_mounted:
        assert not is_mounted
        assert (tmp_path / "home").is_dir()


@pytest.mark.slow("programs")
def test_without_programs_the_folder_is_a_normal_one(tmp_path, needed, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with mounted_volume(tmp_path / "home", LIMIT) as is_mounted:
        assert not is_mounted


@pytest.mark.slow("programs")
def test_writes_that_the_machine_has_no_room_for_are_noticed(tmp_path, needed):
    with mounted_volume(tmp_path / "machine", 2 * LIMIT):
        home = tmp_path / "machine" / "home"
        with mounted_volume(home, LIMIT) as is_mounted:
            assert is_mounted
            meter, other = DiskMeter(home, LIMIT), DiskMeter(home, None)
            with pytest.raises(OSError, match="No space left"):
                write(home.parent / "other", 4 * LIMIT)
            meter.measure(list)
            write(home / "file", LIMIT // 2)
            meter.measure(list)
            assert meter.has_lost_writes()
            assert not other.has_lost_writes()  # it did not look, because the machine was not short
            meter.close()
            other.close()
