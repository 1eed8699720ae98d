"""Tar archives made of the members of another one."""

from __future__ import annotations

import io
import tarfile

import pytest

from mlebench.errors import ArchiveError
from mlebench.preparation import pack_tar, retar, tar_member_names


@pytest.fixture
def photos(tmp_path):
    path = tmp_path / "photos.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for number, name in enumerate(["all", "all/b.jpg", "all/a.jpg", "all/c.jpg", "all/link.jpg"]):
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.uname = len(name), 1_600_000_000.5 + number, "somebody"
            member.type = {"all": tarfile.DIRTYPE, "all/link.jpg": tarfile.SYMTYPE}.get(name, tarfile.REGTYPE)
            member.linkname = "b.jpg" if "link" in name else ""
            member.size = len(name) if member.isreg() else 0
            archive.addfile(member, io.BytesIO(name.encode()))
    return path


def test_members_go_to_the_archives_that_want_them(photos, tmp_path):
    train, test = tmp_path / "public" / "train.tar.gz", tmp_path / "public" / "test.tar.gz"
    retar(photos, {train: {"all/a.jpg": "a.jpg"}, test: {"all/c.jpg": "c.jpg", "all/b.jpg": "x/b.jpg"}})
    with tarfile.open(train, "r:") as archive:  # not compressed
        assert archive.getnames() == ["a.jpg"]
        (member,) = archive
        assert (member.mtime, member.uname, member.uid, member.mode) == (315_532_800, "", 0, 0o644)
    with tarfile.open(test, "r:") as archive:
        assert {member.name: archive.extractfile(member).read() for member in archive} == {
            "x/b.jpg": b"all/b.jpg",
            "c.jpg": b"all/c.jpg",
        }


def test_members_are_sorted_as_tarfile_would_write_them(photos, tmp_path):
    names = {"all/b.jpg": "2" + "long" * 50, "all/a.jpg": "é", "all/c.jpg": "1"}
    retar(photos, {tmp_path / "new.tar": names})
    with tarfile.open(tmp_path / "expected.tar", "w") as archive:
        for name, new_name in sorted(names.items(), key=lambda item: item[1]):
            member = tarfile.TarInfo(new_name)
            member.size, member.mtime = len(name), 315_532_800
            archive.addfile(member, io.BytesIO(name.encode()))
    assert (tmp_path / "new.tar").read_bytes() == (tmp_path / "expected.tar").read_bytes()


def test_what_is_wrong_with_an_archive_is_said(photos, tmp_path):
    with pytest.raises(ArchiveError, match="holds 1 of the 2 files"):
        retar(photos, {tmp_path / "1.tar": {"all/a.jpg": "a.jpg", "all/z.jpg": "z.jpg"}})
    with pytest.raises(ArchiveError, match=r"'all/link.jpg', which is not a file"):
        retar(photos, {tmp_path / "2.tar": {"all/link.jpg": "a.jpg"}})
    with pytest.raises(ArchiveError, match=r"lack the archive absent\.tar"):
        retar(tmp_path / "absent.tar", {tmp_path / "3.tar": {}})
    content = photos.read_bytes()
    for number, broken in enumerate([b"no archive at all" * 99, content[: len(content) // 2], content[:-200]]):
        photos.write_bytes(broken)
        with pytest.raises(ArchiveError):
            retar(photos, {tmp_path / f"broken{number}.tar": {"all/a.jpg": "a.jpg", "all/c.jpg": "c.jpg"}})


def test_files_are_listed_without_folders_and_links(photos, tmp_path):
    assert tar_member_names(photos) == ["all/b.jpg", "all/a.jpg", "all/c.jpg"]
    with pytest.raises(ArchiveError, match=r"lack the archive absent\.tar"):
        tar_member_names(tmp_path / "absent.tar")
    (tmp_path / "cut.tar.gz").write_bytes(photos.read_bytes()[:150])
    with pytest.raises(ArchiveError, match=r"cut\.tar\.gz is damaged"):
        tar_member_names(tmp_path / "cut.tar.gz")


@pytest.mark.parametrize("name", ["x.tar", "x.tar.gz"])
def test_packed_files_are_sorted_and_the_same_files_give_the_same_bytes(name, tmp_path):
    members = {"b/two.txt": b"two" * 9999, "a.txt": b"", "ü.png": bytes(range(256))}
    archives = []
    for order in (1, -1):
        folder = tmp_path / f"order {order}"
        folder.mkdir()
        files = {}
        for number, member in list(enumerate(members))[::order]:
            files[member] = folder / str(number)
            files[member].write_bytes(members[member])
        archives.append(folder / "new" / name)
        pack_tar(archives[-1], files)
    assert archives[0].read_bytes() == archives[1].read_bytes()
    with tarfile.open(archives[0], "r:gz" if name.endswith("gz") else "r:") as archive:
        assert archive.getnames() == sorted(members)
        assert {member.name: archive.extractfile(member).read() for member in archive} == members
        assert {(member.mtime, member.uname, member.uid, member.mode) for member in archive} == {
            (315_532_800, "", 0, 0o644)
        }
