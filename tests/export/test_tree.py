"""Writing the exported tree: whole or not at all, also on a disk that is full."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager

import pytest

import mlebench
from mlebench.errors import DiskFullError, UsageError
from mlebench.export import export_reference_tree
from mlebench.export.core import ARCHIVE, NAME, core_archive
from mlebench.registry import Registry


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="exists already"):
        export_reference_tree(tmp_path)
    with pytest.raises(UsageError, match="exists already"):
        export_reference_tree(tmp_path / "mine.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_failure_leaves_nothing(tmp_path):
    def fail(competition_id):
        raise RuntimeError(competition_id)

    with pytest.raises(RuntimeError):
        export_reference_tree(tmp_path / "deep" / "tree", progress=fail)
    assert list((tmp_path / "deep").iterdir()) == []


def test_an_empty_folder_is_filled_with_the_users_competitions_too(tmp_path, ship):
    own = tmp_path / "own" / "my-task"
    shutil.copytree(ship.folder, own)
    declaration = own / "competition.yaml"
    declaration.write_text(declaration.read_text().replace("id: spaceship-titanic", "id: my-task"))
    (tmp_path / "tree").mkdir()
    ids = export_reference_tree(tmp_path / "tree", registry=Registry(folders=(own,)))
    assert "my-task" in ids
    folder = tmp_path / "tree" / "mlebench" / "competitions" / "my-task"
    assert folder.is_dir()
    assert (folder / ARCHIVE).read_bytes() == core_archive()
    assert importlib.util.find_spec(NAME) is None


@pytest.fixture
def small_disk(tmp_path, require):
    """A function that mounts a disk of a size, in bytes."""
    place = tmp_path / "disk"
    place.mkdir()
    if os.geteuid() != 0:
        require("only root can mount a small disk")

    @contextmanager
    def mount(size):
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            require(f"no small disk can be mounted here: {done.stderr.strip()}")
        try:
            yield place
        finally:
            subprocess.run(["umount", str(place)], check=True)

    return mount


@pytest.fixture(scope="module")
def tree_size(tmp_path_factory):
    """The bytes on disk of the whole tree."""
    target = tmp_path_factory.mktemp("export") / "tree"
    export_reference_tree(target)
    files = {(facts.st_dev, facts.st_ino): facts.st_blocks for path in target.rglob("*") if (facts := path.lstat())}
    return 512 * sum(files.values())


@pytest.mark.slow("programs")
@pytest.mark.parametrize("share", [0.001, 0.02, 0.2, 0.5, 0.9])
def test_a_full_disk_is_one_sentence_and_leaves_nothing(share, small_disk, tree_size, is_one_sentence):
    with small_disk(int(tree_size * share)) as disk:
        with pytest.raises(DiskFullError, match="is full, and nothing was exported") as caught:
            mlebench.export_reference_tree(disk / "tree")
        assert list(disk.iterdir()) == []
    assert is_one_sentence(str(caught.value))


@pytest.mark.slow("programs")
def test_the_command_ends_with_exit_code_3_on_a_full_disk_and_works_with_room(small_disk, tree_size):
    command = [sys.executable, "-m", "mlebench", "export", "reference-tree"]
    with small_disk(tree_size // 2) as disk:
        done = subprocess.run([*command, disk / "tree"], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr.startswith(f"mlebench: The disk of {disk} is full")
        assert done.stderr.count("\n") == 1
        assert list(disk.iterdir()) == []
    with small_disk(2 * tree_size) as disk:
        done = subprocess.run([*command, disk / "tree"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert [path.name for path in disk.iterdir()] == ["tree"]
