"""Order and times of public files, from raw data of every origin, tell nothing but the names."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import zipfile
from contextlib import suppress

import numpy as np
import pytest

from mlebench.data import clean_data, prepare
from mlebench.data.blind import blind_view
from mlebench.data.manifest import read_manifest, write_manifest
from mlebench.data.neutral import FEW, copy_neutrally, is_settled, is_stamped, require_neutral, settle, stamp
from mlebench.errors import NotPreparedError
from mlebench.ground.neutral import NEUTRAL_TIME, mark_neutral
from mlebench.tasks.registry import Registry

from ..waiting import wait_until

IDS = Registry().list_competition_ids()
ALL = 10**9


@pytest.fixture
def folder(tmp_path):
    """A folder whose files were written in the order of two classes, not of their names."""
    folder = tmp_path / "written"
    folder.mkdir()
    for number in (*range(1, 2 * FEW, 2), *range(0, 2 * FEW, 2)):
        (folder / f"{number:03}.png").write_bytes(bytes([number]))
    return folder


def change(path):
    """Change a file's number of links until the clock shows it."""
    before = path.stat().st_ctime_ns
    while path.stat().st_ctime_ns - before < 10**7:
        os.link(path, path.parent.parent / "link")
        (path.parent.parent / "link").unlink()


def inodes(folder):
    return [path.stat().st_ino for path in sorted(folder.glob("*.png"))]


def test_files_that_a_preparer_wrote_are_copied_in_the_order_of_their_names(folder, tmp_path, progress):
    copy_neutrally(folder, tmp_path / "copy", progress)
    assert [path.read_bytes() for path in sorted((tmp_path / "copy").iterdir())] == [bytes([n]) for n in range(2 * FEW)]
    assert not set(inodes(folder)) & set(inodes(tmp_path / "copy"))


def test_neutral_files_stay_links_in_the_order_of_their_names(folder, tmp_path, progress):
    for path in folder.iterdir():
        mark_neutral(path)
    copy_neutrally(folder, tmp_path / "copy", progress)
    assert inodes(folder) == inodes(tmp_path / "copy")
    changes = [path.stat().st_ctime_ns for path in sorted((tmp_path / "copy").iterdir())]
    assert changes == sorted(changes)


def test_few_files_of_a_kind_are_not_copied(tmp_path, progress):
    (tmp_path / "written").mkdir()
    for name in ("train.csv", "test.csv"):
        (tmp_path / "written" / name).write_text("id\n1\n")
    copy_neutrally(tmp_path / "written", tmp_path / "copy", progress)
    assert (tmp_path / "copy" / "test.csv").samefile(tmp_path / "written" / "test.csv")


def test_a_stamp_gives_one_time_and_changes_in_the_order_of_names(folder):
    (folder / "deep").mkdir()
    assert not is_stamped(folder, ALL)
    paths = [folder, *folder.rglob("*")]  # listing a folder later would change when it was read
    stamp(folder)
    facts = [path.stat() for path in paths]
    assert {(fact.st_mtime_ns, fact.st_atime_ns) for fact in facts} == {(NEUTRAL_TIME, NEUTRAL_TIME)}
    assert is_stamped(folder, ALL)
    change(folder / "001.png")
    assert not is_stamped(folder, ALL)


@pytest.mark.parametrize("competition_id", IDS)
def test_metadata_of_prepared_files_follow_neither_the_raw_archive_nor_a_class(competition_id, prepared):
    public = prepared(competition_id).public_dir
    assert wait_until(lambda: settle(public.parent) and is_stamped(public, ALL))  # other tests may link the files
    places = raw_places(prepared(competition_id).folder / "rehearsal.zip")
    for folder in (public, *(path for path in public.rglob("*") if path.is_dir())):
        found = [
            (path.stat().st_ino, place)
            for path in sorted(folder.iterdir())
            if path.is_file() and (place := places.get(digest(path.read_bytes()))) is not None
        ]
        if len(found) >= FEW:
            inode, place = (np.argsort(np.argsort(values)) for values in zip(*found, strict=True))
            is_by_name = (np.diff(inode) > 0).all()
            assert is_by_name or abs(np.corrcoef(inode, place)[0, 1]) < 5 / np.sqrt(len(found) - 1)


def raw_places(archive):
    """Return the place of each file in raw data, by the digest of its content; that of copies is left out."""
    if not archive.exists():
        return {}
    digests = [digest(content) for content in contents(archive.read_bytes())]
    return {each: place for place, each in enumerate(digests) if digests.count(each) == 1}


def contents(archive):
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        for name in file.namelist():
            yield (content := file.read(name))
            if name.endswith(".zip"):
                with suppress(zipfile.BadZipFile):
                    yield from contents(content)


def digest(content):
    return hashlib.sha256(content).digest()


def test_data_of_an_earlier_version_become_neutral_and_stay_the_same(registry):
    competition = registry.get_competition("dogs-vs-cats-redux-kernels-edition")
    manifest = prepare(competition, rehearsal=True)
    before = {path.relative_to(competition.prepared_dir): path.read_bytes() for path in files(competition)}
    for path in reversed(files(competition)):
        os.utime(path)
    write_manifest(manifest.model_copy(update={"neutral": False}), competition.prepared_dir)
    assert not is_settled(competition.prepared_dir)
    with pytest.raises(NotPreparedError, match=r"may tell labels.*mlebench prepare -c dogs-vs-cats"):
        require_neutral(competition)
    assert prepare(competition, rehearsal=True) == manifest
    assert is_settled(competition.prepared_dir)
    after = {path.relative_to(competition.prepared_dir): path.read_bytes() for path in files(competition)}
    assert after == before


def test_removing_raw_data_changes_no_order(registry, tmp_path):
    competition = registry.get_competition("aerial-cactus-identification")
    shutil.copyfile(competition.folder / "rehearsal.zip", tmp_path / "raw.zip")
    competition.raw_dir.parent.mkdir(parents=True)
    shutil.copyfile(tmp_path / "raw.zip", competition.raw_dir.parent / f"{competition.id}.zip")
    prepare(competition, skip_verification=True)
    assert is_stamped(competition.public_dir, ALL)
    clean_data([competition], raw=True)
    assert not competition.raw_dir.exists()
    assert is_stamped(competition.public_dir, ALL)
    assert read_manifest(competition).neutral


def test_raw_data_that_a_user_removed_are_noticed(registry, tmp_path):
    competition = registry.get_competition("aerial-cactus-identification")
    competition.raw_dir.parent.mkdir(parents=True)
    shutil.copyfile(competition.folder / "rehearsal.zip", competition.raw_dir.parent / f"{competition.id}.zip")
    prepare(competition, skip_verification=True)
    shutil.rmtree(competition.raw_dir)
    change(files(competition)[0])  # as in the removal of many files, which takes time
    assert not is_settled(competition.prepared_dir)
    require_neutral(competition)
    assert is_settled(competition.prepared_dir)


def test_the_data_of_obfuscated_runs_are_neutral_too(registry):
    competition = registry.get_competition("aerial-cactus-identification")
    prepare(competition, rehearsal=True)
    view = blind_view(competition)
    assert is_stamped(view, ALL)
    assert is_stamped(competition.public_dir, ALL)


def files(competition):
    return sorted(path for path in competition.public_dir.rglob("*") if path.is_file())
