"""Archives of raw data: unpacked into their own folder only, and found damaged."""

from __future__ import annotations

import os
import shutil
import stat
import zipfile
from pathlib import Path

import pytest

from mlebench.errors import ArchiveError
from mlebench.preparation import extract, member_names, read_member


@pytest.fixture
def archive(tmp_path):
    """A function that writes a zip archive of pairs of name and content."""

    def write(*members):
        path = tmp_path / "data.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            for name, content in members:
                file.writestr(name, content)
        return path

    return write


def link(name):
    member = zipfile.ZipInfo(name)
    member.create_system = 3
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    return member


def test_extract_unpacks_below_the_target(archive, tmp_path):
    path = archive(("a.csv", "1"), ("folder/b.csv", "2"), ("folder/", ""), ("./c.csv", "3"))
    assert extract(path, tmp_path / "out") == 3
    assert sorted(p.name for p in (tmp_path / "out").rglob("*.csv")) == ["a.csv", "b.csv", "c.csv"]
    assert (tmp_path / "out" / "folder" / "b.csv").read_text() == "2"


def test_extract_renames_and_leaves_out_what_it_is_told_to(archive, tmp_path):
    path = archive(("a.csv", "1"), ("b.csv", "2"))
    assert extract(path, tmp_path / "out", want={"a.csv": "new/name.csv"}.get) == 1
    assert [p.name for p in (tmp_path / "out").rglob("*.csv")] == ["name.csv"]


def test_files_of_all_folders_begin_in_one_folder_so_that_inode_numbers_do_not_follow_folders(
    archive, tmp_path, monkeypatch
):
    path, target = archive(("cat/0.jpg", "meow"), ("dog/0.jpg", "woof"), ("dog/1.jpg", "wuff")), tmp_path / "out"
    begun = {}
    copy = shutil.copyfileobj

    def watch(source, file, *sizes):
        copy(source, file, *sizes)
        begun[os.fstat(file.fileno()).st_ino] = Path(file.name).parent

    monkeypatch.setattr("mlebench.preparation.archives.shutil.copyfileobj", watch)
    assert extract(path, target) == 3
    assert {begun[file.stat().st_ino] for file in target.rglob("*.jpg")} == {target}
    assert len([file for file in target.rglob("*") if file.is_file()]) == 3


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/x", "..\\x", "C:\\x", "C:/x", "a/.."])
def test_member_that_would_leave_the_folder_is_refused(name, archive, tmp_path):
    with pytest.raises(ArchiveError, match="leave its folder"):
        extract(archive(("fine.csv", "1"), (name, "evil")), tmp_path / "deep" / "out")
    assert not list(tmp_path.rglob("x"))


def test_link_is_refused(archive, tmp_path):
    with pytest.raises(ArchiveError, match=r"holds a link, 'link\.csv'"):
        extract(archive((link("link.csv"), "/etc/passwd")), tmp_path / "out")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_member_that_comes_twice_is_refused(archive, tmp_path):
    with pytest.raises(ArchiveError, match=r"'a\.csv' twice"):
        extract(archive(("a.csv", "1"), ("a.csv", "2")), tmp_path / "out")


def test_existing_file_is_not_overwritten(archive, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.csv").write_text("mine")
    with pytest.raises(ArchiveError):
        extract(archive(("a.csv", "1")), tmp_path / "out")
    assert (tmp_path / "out" / "a.csv").read_text() == "mine"


def test_file_and_folder_of_one_name_are_refused(archive, tmp_path):
    with pytest.raises(ArchiveError):
        extract(archive(("a", "1"), ("a/b", "2")), tmp_path / "out")


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "text"])
def test_damaged_archive_is_named(damage, archive, tmp_path):
    path = archive(("a.csv", "1,2,3\n" * 1000), ("b.csv", "4,5,6\n" * 1000))
    content = bytearray(path.read_bytes())
    if damage == "cut":
        content = content[: len(content) // 2]
    elif damage == "flipped":
        for place in range(45, 60):
            content[place] ^= 0xFF
    elif damage == "empty":
        content = bytearray()
    else:
        content = bytearray(b"<html>Please log in</html>")
    path.write_bytes(content)
    with pytest.raises(ArchiveError, match=r"data\.zip is damaged"):
        extract(path, tmp_path / "out")


def test_missing_archive_and_missing_member_are_named(archive, tmp_path):
    with pytest.raises(ArchiveError, match=r"lack the archive no\.zip"):
        read_member(tmp_path / "no.zip", "a.csv")
    path = archive(("a.csv", "1"))
    assert read_member(path, "a.csv").read() == b"1"
    with pytest.raises(ArchiveError, match=r"no member 'b\.csv'"):
        read_member(path, "b.csv")


def test_names_are_those_of_files_in_the_order_of_the_archive(archive):
    assert member_names(archive(("b/", b""), ("b/x", b"1"), ("a", b"2"))) == ["b/x", "a"]
