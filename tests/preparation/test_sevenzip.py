from __future__ import annotations

import stat

import pytest

from mlebench.errors import ArchiveError
from mlebench.preparation import extract_7z, pack_7z


@pytest.mark.parametrize("name", ["../x", "/x", "C:\\x", "a/../../x"])
def test_a_7z_member_that_would_leave_the_folder_is_refused(name, tmp_path):
    pack_7z(tmp_path / "x.7z", {"fine": b"1", "place": b"2"})
    import py7zr

    with py7zr.SevenZipFile(tmp_path / "x.7z", "a") as file:
        file.writestr(b"evil", "evil")
        file.header.files_info.files[-1]["filename"] = name
    with pytest.raises(ArchiveError, match="leave its folder"):
        extract_7z(tmp_path / "x.7z", tmp_path / "deep" / "out")
    assert not (tmp_path / "deep").exists()


def test_links_twins_and_passwords_in_a_7z_are_refused(tmp_path):
    import py7zr

    (tmp_path / "link").symlink_to("/etc/passwd")
    with py7zr.SevenZipFile(tmp_path / "link.7z", "w") as file:
        file.write(tmp_path / "link", "link")
    with py7zr.SevenZipFile(tmp_path / "twins.7z", "w") as file:
        file.writestr(b"1", "a")
        file.writestr(b"2", "a")
    with py7zr.SevenZipFile(tmp_path / "secret.7z", "w", password="secret") as file:
        file.writestr(b"1", "a")
    for name, words in (("link", "holds a link, 'link'"), ("twins", "'a' twice"), ("secret", "is encrypted")):
        with pytest.raises(ArchiveError, match=words):
            extract_7z(tmp_path / f"{name}.7z", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_7z_files_that_are_there_are_not_overwritten_and_modes_are_plain(tmp_path):
    import py7zr

    (tmp_path / "tool").write_text("x")
    (tmp_path / "tool").chmod(0o6755)
    with py7zr.SevenZipFile(tmp_path / "x.7z", "w") as file:
        file.write(tmp_path / "tool", "tool")
    extract_7z(tmp_path / "x.7z", tmp_path / "out")
    assert stat.S_IMODE((tmp_path / "out" / "tool").stat().st_mode) == 0o644
    (tmp_path / "out" / "tool").write_text("mine")
    with pytest.raises(ArchiveError, match="'tool', but a file of that name exists already"):
        extract_7z(tmp_path / "x.7z", tmp_path / "out")
    assert (tmp_path / "out" / "tool").read_text() == "mine"


def test_the_bytes_of_an_archive_depend_on_its_members_alone(tmp_path):
    (tmp_path / "b.txt").write_bytes(b"2")
    pack_7z(tmp_path / "one.7z", {"b/b.txt": tmp_path / "b.txt", "a.txt": b"1"}, compress=False)
    (tmp_path / "b.txt").touch()
    pack_7z(tmp_path / "new" / "two.7z", {"a.txt": b"1", "b/b.txt": tmp_path / "b.txt"}, compress=False)
    assert (tmp_path / "one.7z").read_bytes() == (tmp_path / "new" / "two.7z").read_bytes()
    extract_7z(tmp_path / "one.7z", tmp_path / "out")
    assert (tmp_path / "out" / "a.txt").read_bytes() == b"1"
    assert (tmp_path / "out" / "b" / "b.txt").read_bytes() == b"2"


def test_a_missing_archive_is_named(tmp_path):
    with pytest.raises(ArchiveError, match=r"lack the archive photos\.7z"):
        extract_7z(tmp_path / "photos.7z", tmp_path / "out")


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-5], lambda data: b"", lambda data: data[:32] + b"?" + data[33:]]
)
def test_a_damaged_archive_is_named(damage, tmp_path):
    archive = tmp_path / "x.7z"
    pack_7z(archive, {"a.txt": b"1" * 100})
    archive.write_bytes(damage(archive.read_bytes()))
    with pytest.raises(ArchiveError, match=r"x\.7z is damaged"):
        extract_7z(archive, tmp_path / "out")
