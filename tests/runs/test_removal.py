"""Folders that an agent filled are removed."""

import os
from pathlib import Path

from mlebench.runs.removal import remove_tree


def test_folders_nested_deeper_than_the_recursion_limit_are_removed(tmp_path):
    start = Path.cwd()
    top = tmp_path / "top"
    top.mkdir()
    try:
        os.chdir(top)
        for _ in range(3000):
            Path("d" * 20).mkdir()
            os.chdir("d" * 20)
            os.close(os.open("file", os.O_CREAT | os.O_WRONLY))
    finally:
        os.chdir(start)
    remove_tree(top)
    assert not top.exists()


def test_links_are_not_followed_and_folders_without_permissions_are_removed(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other/kept").write_text("x")
    (tmp_path / "top/a/b").mkdir(parents=True)
    (tmp_path / "top/a/b/link").symlink_to(tmp_path / "other")
    (tmp_path / "top/link").symlink_to(tmp_path / "other")
    os.mkfifo(tmp_path / "top/a/pipe")
    (tmp_path / "top/a/b").chmod(0)
    (tmp_path / "top/a").chmod(0)
    remove_tree(tmp_path / "top")
    assert not (tmp_path / "top").exists()
    assert (tmp_path / "other/kept").read_text() == "x"


def test_a_missing_folder_is_no_error(tmp_path):
    remove_tree(tmp_path / "none")
    (tmp_path / "link").symlink_to(tmp_path)
    remove_tree(tmp_path / "link")
    assert tmp_path.exists()
