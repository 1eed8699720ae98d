"""Archives are unpacked completely; interrupted unpackings and folders of other programs are completed."""

import json
import shutil
import zipfile

import pytest

from mlebench.data.progress import LogProgress, Step
from mlebench.data.unpacking import directory_digest, journal_path, lacking_members, partial_folder, unpack
from mlebench.errors import ArchiveError, DiskFullError

from .conftest import zip_of_pictures


@pytest.fixture
def archive(tmp_path):
    return zip_of_pictures(tmp_path / "pictures.zip")


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "raw"


def assert_complete(archive, folder):
    assert lacking_members(archive, folder) == []
    assert not partial_folder(folder).exists()
    assert not journal_path(folder).exists()
    with zipfile.ZipFile(archive) as file:
        assert all((folder / name).read_bytes() == file.read(name) for name in file.namelist())


def interrupt(archive, folder, count):
    """Leave what a call leaves that is killed after `count` members."""
    unpack(archive, folder, LogProgress())
    with zipfile.ZipFile(archive) as file:
        names = file.namelist()
    for name in names[count:]:
        (folder / name).unlink()
    folder.rename(partial_folder(folder))
    return names


def test_progress_counts_all_bytes(archive, folder, progress):
    unpack(archive, folder, progress)
    assert_complete(archive, folder)
    assert progress.steps == [(Step.UNPACK, progress.done[Step.UNPACK])]


def test_members_in_the_journal_are_not_unpacked_again(archive, folder, progress):
    names = interrupt(archive, folder, 20)
    with zipfile.ZipFile(archive) as file:
        digest = directory_digest(file.infolist())
    kept = partial_folder(folder) / names[3]
    before = kept.stat().st_mtime_ns
    damaged = partial_folder(folder) / names[4]
    damaged.write_bytes(damaged.read_bytes()[:-1])
    unnoted = partial_folder(folder) / names[19]
    unnoted.write_bytes(b"\0" * unnoted.stat().st_size)
    lines = [digest, *map(json.dumps, names[:19]), json.dumps(names[19])[:-3]]
    journal_path(folder).write_text("\n".join(lines))
    unpack(archive, folder, progress)
    assert_complete(archive, folder)
    assert (folder / names[3]).stat().st_mtime_ns == before


@pytest.mark.parametrize("journal", [None, "", "another archive\n", b"\xff\xfe"])
def test_without_a_journal_of_this_archive_unpacking_starts_again(journal, archive, folder, progress):
    interrupt(archive, folder, 20)
    for path in partial_folder(folder).rglob("*.jpg"):
        path.write_bytes(b"x" * path.stat().st_size)
    if journal is not None:
        journal_path(folder).write_bytes(journal if isinstance(journal, bytes) else journal.encode())
    unpack(archive, folder, progress)
    assert_complete(archive, folder)


def test_a_folder_of_another_program_is_completed(archive, folder, progress):
    unpack(archive, folder, LogProgress())
    (folder / "images" / "p7.jpg").unlink()
    (folder / "notes.txt").write_text("of the user")
    before = (folder / "images" / "p1.jpg").stat().st_ino
    unpack(archive, folder, progress)
    assert_complete(archive, folder)
    assert (folder / "images" / "p1.jpg").stat().st_ino == before
    assert (folder / "notes.txt").exists()


def test_a_damaged_member_is_an_error_and_leaves_no_folder(archive, folder, progress):
    content = bytearray(archive.read_bytes())
    content[len(content) // 2] ^= 0xFF
    archive.write_bytes(content)
    with pytest.raises(ArchiveError, match=r"pictures\.zip is damaged"):
        unpack(archive, folder, progress)
    assert not folder.exists()


def test_a_disk_that_is_too_small_is_an_error_before_the_first_byte(archive, folder, progress, monkeypatch):
    usage = shutil.disk_usage(folder.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    with pytest.raises(DiskFullError, match=r"1\.0 kB free and .* needed to unpack pictures\.zip.*same command"):
        unpack(archive, folder, progress)
    assert not folder.exists()
    assert not partial_folder(folder).exists()
