"""A disk that fills up at any point: a clear error, no half-made data, and the same call resumes with more space."""

from __future__ import annotations

import os

import pytest

from mlebench.data import PrepareOptions, is_dataset_prepared, prepare
from mlebench.data.plan import make_plan
from mlebench.data.space import disk_usage
from mlebench.errors import DiskFullError
from mlebench.tasks.registry import Registry

from .conftest import TASK, zip_of_pictures

pytestmark = pytest.mark.slow("programs")

MB = 1_000_000


HUNGRY = TASK.replace(
    "    write_csv(train", '    (public / "extra.bin").write_bytes(bytes(4_000_000))\n    write_csv(train', 1
)
"""A preparer that writes 4 MB of its own."""


@pytest.mark.parametrize(
    ("size", "step"), [(2 * MB, "unpack pictures.zip"), (5 * MB, "unpack"), (9 * MB, "full"), (11.8 * MB, "full")]
)
@pytest.mark.parametrize("link", [True, False])
def test_a_full_disk_is_an_error_and_the_same_call_resumes(size, step, link, disk, declare, tmp_path):
    """6 MB of pictures, 4 MB of the preparer's, and without links another 6 MB."""
    archive = zip_of_pictures(tmp_path / "pictures.zip", count=60, size=100_000)
    folder = declare(task=HUNGRY)
    with disk(int(size)) as (place, resize):
        competition = Registry(place, (folder,)).get_competition("pictures")
        fits = link and size > 11 * MB
        if not fits:
            with pytest.raises(DiskFullError, match=step):
                prepare(competition, raw=archive, link=link, keep_raw=True)
            assert not is_dataset_prepared(competition)
            assert not competition.prepared_dir.exists()
        resize(20 * MB)
        manifest = prepare(competition, raw=archive, link=link)
        assert (manifest.public_files, manifest.private_files) == (64, 1)
        assert sorted(path.name for path in place.joinpath("pictures").iterdir()) == [".lock", "prepared"]


@pytest.mark.parametrize("link", [True, False])
@pytest.mark.parametrize("keep_raw", [True, False])
def test_the_peak_on_disk_is_as_planned(link, keep_raw, disk, pictures, tmp_path):
    """A disk with little more than the planned peak suffices, and the planned space is taken afterwards."""
    archive = zip_of_pictures(pictures.raw_dir.parent / "pictures.zip", count=60, size=100_000)
    plan = make_plan([pictures], options=PrepareOptions(link=link, keep_raw=keep_raw, keep_zip=False))
    assert plan.rows[0].unpacked == pytest.approx(6.16 * MB, rel=0.01)
    assert plan.disk_peak < (14 * MB if keep_raw and not link else 8 * MB)
    with disk(archive.stat().st_size + int(plan.disk_peak * 1.02) + 300_000) as (place, _):
        there = Registry(place, (pictures.folder,)).get_competition("pictures")
        there.raw_dir.parent.mkdir(parents=True)
        (there.raw_dir.parent / "pictures.zip").write_bytes(archive.read_bytes())
        before = disk_usage(place)
        prepare(there, link=link, keep_raw=keep_raw)
        assert disk_usage(there.prepared_dir) > 6 * MB
        free = os.statvfs(place)
        taken = (free.f_blocks - free.f_bfree) * free.f_frsize - before
        assert taken == pytest.approx(plan.disk_stays, rel=0.2)
