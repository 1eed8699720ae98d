"""Data that can be downloaded or made again are removed; other data stay."""

import pytest

from mlebench.data import clean_data, prepare
from mlebench.data.locks import LOCK, locked
from mlebench.errors import UsageError
from mlebench.tasks.registry import Registry

from .conftest import zip_of_pictures

ALL = {"raw": True, "zips": True, "partial": True}


@pytest.fixture
def home(pictures):
    return pictures.raw_dir.parent


@pytest.fixture
def archive(home):
    return zip_of_pictures(home / "pictures.zip", size=10_000)


def test_cleaning_keeps_what_is_needed_and_what_is_in_use(pictures, archive, home):
    (home / "pictures.zip.part").write_bytes(bytes(5000))
    (home / ".preparing-old").mkdir()
    kept = {removal.kind: removal.kept for removal in clean_data([pictures], **ALL).removals}
    assert kept == {"zip": "not prepared yet", "partial": None}
    assert archive.exists()
    assert sorted(path.name for path in home.iterdir()) == [".lock", "pictures.zip"]
    prepare(pictures, skip_verification=True)
    with locked(home / LOCK):
        assert {removal.kept for removal in clean_data([pictures], **ALL).removals} == {"in use"}
    dry = clean_data([pictures], **ALL, dry_run=True)
    freed = {removal.kind: removal.bytes for removal in dry.removals}
    assert freed["zip"] > freed["raw"] > 0
    assert dry.freed == sum(freed.values())
    assert archive.exists()
    assert all(removal.kept is None for removal in clean_data([pictures], **ALL).removals)
    assert sorted(path.name for path in home.iterdir()) == [".lock", "prepared"]
    assert clean_data([pictures], **ALL).removals == ()


def test_force_removes_archives_that_must_be_downloaded_again(pictures, archive):
    clean_data([pictures], zips=True, force=True)
    assert not archive.exists()


def test_by_default_all_competitions_are_cleaned_each_once(declare, tmp_path):
    folder = declare(more="versions:\n  v2: {changes: Nothing much., prepare: prepare}\n")
    registry = Registry(tmp_path / "data", (folder,))
    archive = zip_of_pictures(tmp_path / "data" / "pictures" / "pictures.zip")
    for label in ("pictures", "pictures@v2"):
        prepare(label, registry=registry, skip_verification=True)
    assert [removal.path for removal in clean_data(zips=True, registry=registry).removals] == [archive]


def test_something_must_be_selected(pictures):
    with pytest.raises(UsageError, match="--raw, --zips or --partial"):
        clean_data([pictures])
