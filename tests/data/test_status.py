"""The disk space that data take."""

import pytest

from mlebench.data import data_status, prepare
from mlebench.data.status import measure_stored
from mlebench.tasks.registry import Registry

from .conftest import zip_of_pictures


def test_shared_bytes_count_once(pictures):
    archive = zip_of_pictures(pictures.raw_dir.parent / "pictures.zip", size=10_000)
    prepare(pictures, skip_verification=True)
    stored = measure_stored(pictures)
    assert stored.archive == pytest.approx(archive.stat().st_size, abs=8192)
    assert stored.raw > 300_000 > 100_000 > stored.raw_alone
    assert stored.total == stored.prepared + stored.raw_alone + stored.archive
    prepare(pictures, skip_verification=True, link=False, force=True)
    assert measure_stored(pictures).raw_alone == measure_stored(pictures).raw


def test_by_default_competitions_with_data_are_listed_in_each_prepared_version(declare, tmp_path):
    more = "versions:\n  v2: {changes: Nothing much., prepare: prepare}\n"
    folders = (declare("pictures", more=more), declare("posters"), declare("prints"))
    registry = Registry(tmp_path / "data", folders)
    zip_of_pictures(tmp_path / "data" / "pictures" / "pictures.zip")
    prepare("pictures@v2", registry=registry, skip_verification=True)
    (tmp_path / "data" / "prints").mkdir()
    status = data_status(registry=registry)
    assert [stored.label for stored in status.competitions] == ["pictures", "pictures@v2"]
    assert status.data_dir == (tmp_path / "data").resolve()
    assert status.total == sum(stored.total for stored in status.competitions) > 0
    assert [stored.label for stored in data_status(["posters"], registry=registry).competitions] == ["posters"]
