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
