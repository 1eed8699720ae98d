"""Scratch folders: folders move into place in one step, and leftovers of killed processes are cleaned up."""

import json

import pytest

from mlebench.data.scratch import clear_leftovers, move_into_place, remove, scratch_folder


@pytest.fixture
def home(tmp_path):
    (tmp_path / "prepared").mkdir()
    (tmp_path / "prepared" / "old.txt").touch()
    (tmp_path / "raw").mkdir()
    return tmp_path


def tree(home):
    return {str(path.relative_to(home)) for path in home.rglob("*")}


def make(scratch):
    (scratch / "prepared").mkdir()
    (scratch / "prepared" / "new.txt").touch()
    return scratch / "prepared"


def test_a_folder_replaces_the_old_one_and_what_leaves_is_removed(home):
    with scratch_folder(home) as scratch:
        move_into_place(make(scratch), home / "prepared", [home / "raw"])
    assert tree(home) == {"prepared", "prepared/new.txt"}


def test_nothing_changes_without_a_move(home):
    before = tree(home)
    with scratch_folder(home) as scratch:
        make(scratch)
    assert tree(home) == before


def test_a_process_killed_between_the_two_renames_leaves_the_old_folder(home):
    scratch = home / ".preparing-abcd"
    (scratch / "replaced").mkdir(parents=True)
    make(scratch)
    (home / "prepared").rename(scratch / "replaced" / "prepared")
    (scratch / "leaving.json").write_text(json.dumps(["prepared", "prepared", "raw"]))
    clear_leftovers(home)
    assert tree(home) == {"prepared", "prepared/old.txt", "raw"}


def test_a_process_killed_after_the_move_has_what_leaves_removed(home):
    scratch = home / ".preparing-abcd"
    scratch.mkdir()
    (scratch / "leaving.json").write_text(json.dumps(["prepared", "prepared", "raw"]))
    clear_leftovers(home)
    assert tree(home) == {"prepared", "prepared/old.txt"}


def test_removed_paths_are_gone_and_missing_ones_are_ignored(home):
    remove([home / "raw", home / "nothing"], home)
    assert tree(home) == {"prepared", "prepared/old.txt"}
