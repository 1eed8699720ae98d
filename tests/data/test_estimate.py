import pytest

from mlebench.data.estimate import GB, Rules, State, estimate, state_of
from mlebench.data.options import PrepareOptions
from mlebench.kaggle.models import Survey
from mlebench.tasks.registry import Registry

from .conftest import zip_of_pictures


def estimated(competition, survey=None, **options):
    return estimate(competition, PrepareOptions(**options), 1e6, survey or Survey())


def test_raw_data_count_before_an_archive(pictures):
    home = pictures.raw_dir.parent
    zip_of_pictures(home / "pictures.zip")
    assert state_of(pictures) is State.ZIP
    pictures.raw_dir.mkdir()
    assert state_of(pictures) is State.ZIP
    (pictures.raw_dir / "labels.csv").write_text("id,label\n")
    assert state_of(pictures) is State.RAW


@pytest.mark.parametrize(
    ("more", "sizes", "origin", "size"),
    [
        ("", {}, "unknown", 0),
        ("size_gb: 0.5\n", {}, "declared", GB // 2),
        ("size_gb: 0.5\n", {"pictures": 7}, "measured", 7),
    ],
)
def test_the_size_is_kaggles_or_else_the_declared_one(declare, tmp_path, more, sizes, origin, size):
    pictures = Registry(tmp_path / "data", (declare(more=more),)).get_competition("pictures")
    row = estimated(pictures, Survey(sizes=sizes))
    assert (row.size_is, row.archive, row.download) == (origin, size, size)
    assert row.page == "https://www.kaggle.com/c/pictures/rules"


def test_an_archive_that_is_there_is_measured_and_not_downloaded(pictures):
    archive = zip_of_pictures(pictures.raw_dir.parent / "pictures.zip", 10, 1000)
    row = estimated(pictures, Survey(sizes={"pictures": 10**9}))
    assert (row.size_is, row.archive, row.download) == ("measured", archive.stat().st_size, 0)
    assert row.unpacked >= 10_000
    assert (row.rules, row.page) == (Rules.NOT_NEEDED, None)


def test_a_damaged_archive_is_estimated_from_its_size(pictures):
    archive = pictures.raw_dir.parent / "pictures.zip"
    archive.parent.mkdir(parents=True)
    archive.write_bytes(bytes(1000))
    assert estimated(pictures).unpacked == 1050


@pytest.mark.parametrize(
    ("accepted", "rules"),
    [({}, Rules.UNKNOWN), ({"pictures": True}, Rules.ACCEPTED), ({"pictures": False}, Rules.MISSING)],
)
def test_rules_matter_for_a_download(pictures, accepted, rules):
    assert estimated(pictures, Survey(accepted=accepted)).rules is rules


def test_more_bytes_than_the_archive_has_leave_nothing_to_download(pictures):
    part = pictures.raw_dir.parent / "pictures.zip.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(bytes(10))
    assert estimated(pictures, Survey(sizes={"pictures": 7})).download == 0


def test_what_is_not_kept_takes_no_space_afterwards(pictures):
    survey = Survey(sizes={"pictures": 10**6})
    kept = estimated(pictures, survey)
    removed = estimated(pictures, survey, keep_zip=False)
    assert kept.peak == kept.stays == removed.peak
    assert kept.stays - removed.stays == 10**6
