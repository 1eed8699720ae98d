"""Archives are unpacked whole or go on where they were, and what another program unpacked is used."""

import json
import shutil
import zipfile

import pytest

from mlebench.data.progress import Step
from mlebench.data.unpacking import journal_of, lacking_members, partial_of, unpack
from mlebench.errors import ArchiveError, DiskFullError

from .conftest import zip_of_pictures


@pytest.fixture
def archive(tmp_path):
    return zip_of_pictures(tmp_path / "pictures.zip")


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "raw"


def whole(archive, folder):
    assert lacking_members(archive, folder) == []
    assert not partial_of(folder).exists()
    assert not journal_of(folder).exists()
    with zipfile.ZipFile(archive) as file:
        assert all((folder / name).read_bytes() == file.read(name) for name in file.namelist())


def cut_short(archive, folder, count):
    """Leave what a call leaves that is killed after so many members."""
    unpack(archive, folder, _Nobody())
    with zipfile.ZipFile(archive) as file:
        names = file.namelist()
    for name in names[count:]:
        (folder / name).unlink()
    folder.rename(partial_of(folder))
    return names


class _Nobody:
    def step(self, *_): ...

    def advance(self, *_): ...

    def say(self, *_): ...


def test_a_fresh_archive_is_unpacked_and_told_of(archive, folder, seen):
    unpack(archive, folder, seen)
    whole(archive, folder)
    assert seen.steps == [(Step.UNPACK, seen.done[Step.UNPACK])]


def test_members_in_the_journal_are_not_unpacked_again(archive, folder, seen):
    from mlebench.data.unpacking import _identity

    names = cut_short(archive, folder, 20)
    with zipfile.ZipFile(archive) as file:
        identity = _identity(file.infolist())
    kept = partial_of(folder) / names[3]
    before = kept.stat().st_mtime_ns
    damaged = partial_of(folder) / names[4]
    damaged.write_bytes(damaged.read_bytes()[:-1])
    unnoted = partial_of(folder) / names[19]
    unnoted.write_bytes(b"\0" * unnoted.stat().st_size)
    lines = [identity, *map(json.dumps, names[:19]), json.dumps(names[19])[:-3]]
    journal_of(folder).write_text("\n".join(lines))
    unpack(archive, folder, seen)
    whole(archive, folder)
    assert (folder / names[3]).stat().st_mtime_ns == before


@pytest.mark.parametrize("journal", [None, "", "another archive\n", b"\xff\xfe"])
def test_without_a_journal_of_this_archive_it_begins_anew(journal, archive, folder, seen):
    cut_short(archive, folder, 20)
    for path in partial_of(folder).rglob("*.jpg"):
        path.write_bytes(b"x" * path.stat().st_size)
    if journal is not None:
        journal_of(folder).write_bytes(journal if isinstance(journal, bytes) else journal.encode())
    unpack(archive, folder, seen)
    whole(archive, folder)


def test_a_folder_of_another_program_is_completed(archive, folder, seen):
    unpack(archive, folder, _Nobody())
    (folder / "images" / "p7.jpg").unlink()
    (folder / "notes.txt").write_text("of the user")
    before = (folder / "images" / "p1.jpg").stat().st_ino
    unpack(archive, folder, seen)
    whole(archive, folder)
    assert (folder / "images" / "p1.jpg").stat().st_ino == before
    assert (folder / "notes.txt").exists()


def test_a_damaged_member_is_found_and_nothing_bears_the_folders_name(archive, folder, seen):
    content = bytearray(archive.read_bytes())
    content[len(content) // 2] ^= 0xFF
    archive.write_bytes(content)
    with pytest.raises(ArchiveError, match=r"pictures\.zip is damaged"):
        unpack(archive, folder, seen)
    assert not folder.exists()


def test_what_cannot_fit_is_refused_before_the_first_byte(archive, folder, seen, monkeypatch):
    usage = shutil.disk_usage(folder.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    with pytest.raises(DiskFullError, match=r"1\.0 kB free and .* needed to unpack pictures\.zip.*same command"):
        unpack(archive, folder, seen)
    assert not folder.exists()
    assert not partial_of(folder).exists()
