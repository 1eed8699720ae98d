from __future__ import annotations

import io
import tarfile
import zipfile

from mlebench.scan.files import FileIndex


def test_files_and_members_of_archives_are_indexed_with_their_places(tmp_path):
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "a.txt").write_bytes(b"plain")
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.writestr("in/b.txt", b"zipped")
        archive.writestr("in/c.txt", b"other")
    with tarfile.open(tmp_path / "more.tar.gz", "w:gz") as archive:
        info = tarfile.TarInfo("d.txt")
        info.size = 3
        archive.addfile(info, io.BytesIO(b"tar"))
    index = FileIndex(tmp_path)
    paths = {index.path(number): number for number in range(len(index))}
    assert {"test/a.txt", "more.zip", "more.zip!in/b.txt", "more.zip!in/c.txt", "more.tar.gz!d.txt"} <= set(paths)
    assert index.read(paths["more.zip!in/c.txt"]) == b"other"
    assert index.read(paths["more.tar.gz!d.txt"]) == b"tar"
    assert index.facts.place[paths["more.zip!in/c.txt"]] == 1
    assert index.facts.size[paths["test/a.txt"]] == 5


def test_links_are_not_followed_and_damaged_archives_have_no_members(tmp_path):
    (tmp_path / "bad.zip").write_bytes(b"no archive")
    (tmp_path / "link").symlink_to("/etc/passwd")
    assert FileIndex(tmp_path).names == ["bad.zip"]


def test_no_files_are_read_from_an_empty_folder(tmp_path):
    assert list(FileIndex(tmp_path).read_all([])) == []
