from __future__ import annotations

import pytest

from mlebench.errors import ArchiveError
from mlebench.preparation.inventory import Inventory, describe_error, quote_name, relative_path


def test_more_bytes_or_members_than_an_archive_of_its_size_can_hold_are_refused(tmp_path):
    (tmp_path / "small.zip").write_bytes(b"x" * 1000)
    with pytest.raises(ArchiveError, match="made to fill the disk"):
        for number in range(100):
            Inventory(tmp_path / "small.zip").add(str(number), 2**40)
    inventory = Inventory(tmp_path / "small.zip")
    with pytest.raises(ArchiveError, match="more members than"):
        for number in range(200_000):
            inventory.add(str(number), 0)


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "data.zip"
    path.write_bytes(b"x" * 1000)
    return path


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a", "a"),
        ("./a//b/", "a/b"),
        ("a\\b", "a/b"),
        ("..a/b..", "..a/b.."),
        ("12:30.csv", "12:30.csv"),
        ("-rf", "-rf"),
    ],
)
def test_a_name_becomes_a_relative_path(name, path, archive):
    assert relative_path(name, archive) == path


@pytest.mark.parametrize("name", ["", ".", "./", "/a", "\\a", "..", "a/..", "a\\..\\b", "C:", "c:\\a", "a\0b"])
def test_a_name_that_leaves_the_folder_is_refused(name, archive):
    with pytest.raises(ArchiveError, match=r"data\.zip has a member that would leave its folder"):
        relative_path(name, archive)


@pytest.mark.parametrize(("name", "fits"), [("n" * 255, True), ("n" * 256, False), ("\u00e9" * 128, False)])
def test_the_length_of_a_name_is_that_of_its_bytes(name, fits, archive):
    if fits:
        assert relative_path(name, archive) == name
    else:
        with pytest.raises(ArchiveError, match="name is too long"):
            relative_path(name, archive)


def test_a_name_that_is_not_text_is_refused(archive):
    with pytest.raises(ArchiveError, match=r"name is not text, '\\ud800'"):
        relative_path("\ud800", archive)


@pytest.mark.parametrize("names", [["a", "a/b"], ["a/b/c", "a"], ["a/b", "a/b/c"]])
def test_a_path_is_a_file_or_a_folder(names, archive):
    inventory = Inventory(archive)
    with pytest.raises(ArchiveError, match="both as a file and as a folder"):
        for name in names:
            inventory.add(name, 1)


@pytest.mark.parametrize(
    ("size", "fits"), [(0, True), (8 * 2**30 + 500_000, True), (8 * 2**30 + 500_001, False), (-1, False)]
)
def test_the_size_of_an_archive_bounds_that_of_its_members(size, fits, archive):
    inventory = Inventory(archive)
    if fits:
        inventory.count(size)
        assert inventory.bytes == size
    else:
        with pytest.raises(ArchiveError, match="at most 8,590,434,592"):
            inventory.count(size)


@pytest.mark.parametrize(
    ("name", "quoted"),
    [("a b", "'a b'"), ("n" * 90, f"'{'n' * 80}'"), ("\x1b[2J", r"'\x1b[2J'"), ("\u202e", r"'\u202e'")],
)
def test_names_in_messages_are_printable_and_short(name, quoted):
    assert quote_name(name) == quoted


@pytest.mark.parametrize(
    ("error", "text"), [(EOFError(), "EOFError"), (ValueError("bad."), "bad"), (ValueError("a\nb"), r"a\nb")]
)
def test_an_error_is_described_in_the_middle_of_a_sentence(error, text):
    assert describe_error(error) == text
