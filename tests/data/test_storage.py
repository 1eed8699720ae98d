"""What lies in the data directory, and removing what can be had again."""

import pytest

from mlebench.data import prepare
from mlebench.data.home import LOCK, locked
from mlebench.data.storage import clean, holding_of

from .conftest import zip_of_pictures

ALL = {"raw", "zip", "partial"}


@pytest.fixture
def home(pictures):
    return pictures.raw_dir.parent


@pytest.fixture
def archive(home):
    return zip_of_pictures(home / "pictures.zip", size=10_000)


def test_shared_bytes_count_once(pictures, archive):
    prepare(pictures, skip_verification=True)
    held = holding_of(pictures)
    assert held.archive == pytest.approx(archive.stat().st_size, abs=8192)
    assert held.raw > 300_000 > 100_000 > held.raw_alone
    assert held.total == held.prepared + held.raw_alone + held.archive
    prepare(pictures, skip_verification=True, link=False, force=True)
    assert holding_of(pictures).raw_alone == holding_of(pictures).raw


def test_cleaning_keeps_what_is_needed_and_what_is_in_use(pictures, archive, home):
    (home / "pictures.zip.part").write_bytes(bytes(5000))
    (home / ".preparing-old").mkdir()
    kept = {removal.kind: removal.kept for removal in clean(pictures, ALL, dry_run=False)}
    assert kept == {"zip": "not prepared yet", "partial": None}
    assert archive.exists()
    assert sorted(path.name for path in home.iterdir()) == [".lock", "pictures.zip"]
    prepare(pictures, skip_verification=True)
    with locked(home / LOCK):
        assert {removal.kept for removal in clean(pictures, ALL, dry_run=False)} == {"in use"}
    gain = {removal.kind: removal.bytes for removal in clean(pictures, ALL, dry_run=True)}
    assert gain["zip"] > gain["raw"] > 0
    assert archive.exists()
    assert all(removal.kept is None for removal in clean(pictures, ALL, dry_run=False))
    assert sorted(path.name for path in home.iterdir()) == [".lock", "prepared"]
    assert clean(pictures, ALL, dry_run=False) == []


def test_force_removes_what_would_have_to_be_downloaded_again(pictures, archive):
    clean(pictures, {"zip"}, dry_run=False, force=True)
    assert not archive.exists()
