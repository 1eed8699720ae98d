"""The plan of preparing data, before anything is downloaded."""

import sys

import pytest

from mlebench.data import PrepareOptions, plan_data, prepare
from mlebench.data.download import DownloadRecord
from mlebench.data.estimate import Rules, State, state_of
from mlebench.data.plan import make_plan
from mlebench.errors import MissingExtraError, UsageError
from mlebench.ground.clock import now
from mlebench.kaggle import Survey
from mlebench.tasks.registry import Registry

from .conftest import zip_of_pictures

MB = 1_000_000


@pytest.fixture
def registry(declare, tmp_path):
    return Registry(tmp_path / "data", (declare(), declare("posters", more="size_gb: 0.5\n")))


@pytest.fixture
def posters(registry):
    return registry.get_competition("posters")


def plan_of(*competitions, keep_raw=False, keep_zip=False, link=True, **more):
    options = PrepareOptions(keep_raw=keep_raw, keep_zip=keep_zip, link=link)
    return make_plan(competitions, options=options, **more)


def test_the_state_follows_from_the_files(posters, tmp_path):
    home = posters.raw_dir.parent
    assert plan_of(posters).rows[0].state is State.DOWNLOAD
    zip_of_pictures(home / "posters.zip")
    assert plan_of(posters).rows[0].state is State.ZIP
    (home / "posters.zip").rename(tmp_path / "elsewhere.zip")
    prepare(posters, raw=tmp_path / "elsewhere.zip")
    row = plan_of(posters).rows[0]
    assert (row.state, row.peak, row.rules) == (State.PREPARED, 0, Rules.NOT_NEEDED)
    assert state_of(posters) is State.PREPARED


def test_rehearsal_data_do_not_count_and_embedded_data_need_no_download(registry):
    ship, wine = registry.get_competition("spaceship-titanic"), registry.get_competition("demo-wine")
    prepare(ship, rehearsal=True)
    assert [row.state for row in plan_of(ship, wine).rows] == [State.DOWNLOAD, State.EMBEDDED]


def test_sizes_from_kaggle_replace_declared_ones(posters):
    declared = plan_of(posters)
    asked = plan_of(posters, survey=Survey(sizes={"posters": 100 * MB}))
    assert (declared.rows[0].size_is, declared.download) == ("declared", 500 * MB)
    assert (asked.rows[0].size_is, asked.download) == ("measured", 100 * MB)
    (posters.raw_dir.parent).mkdir(parents=True)
    posters.raw_dir.parent.joinpath("posters.zip.part").write_bytes(bytes(MB))
    assert plan_of(posters, survey=Survey(sizes={"posters": 100 * MB})).download == 99 * MB


def test_a_missing_package_is_an_obstacle_and_an_error_before_the_download(declare, tmp_path, monkeypatch):
    pictures = Registry(tmp_path / "data", (declare(more="extras: [7z]\n"),)).get_competition("pictures")
    assert not any("7z" in obstacle for obstacle in plan_of(pictures).obstacles)
    monkeypatch.setitem(sys.modules, "py7zr", None)
    assert "Preparing pictures needs optional packages: pip install 'mlebench[7z]'" in plan_of(pictures).obstacles
    with pytest.raises(MissingExtraError, match="py7zr"):
        prepare(pictures)  # there is neither an archive nor a client


def test_keeping_more_takes_more_disk(posters):
    peaks = {name: plan_of(posters, **{name: True, "link": False}) for name in ("keep_raw", "keep_zip")}
    least, linked = plan_of(posters, link=False), plan_of(posters, keep_raw=True)
    assert peaks["keep_raw"].disk_peak > linked.disk_peak == least.disk_peak
    assert peaks["keep_zip"].disk_stays > least.disk_stays
    assert linked.disk_stays < 1.2 * least.disk_stays < peaks["keep_raw"].disk_stays


def test_one_at_a_time_needs_less_disk_than_both_at_once(registry, posters):
    pictures = registry.get_competition("pictures")
    sizes = {"posters": 500 * MB, "pictures": 500 * MB}
    one, two = (plan_of(posters, pictures, survey=Survey(sizes=sizes), jobs=jobs) for jobs in (1, 2))
    assert two.rows[0].peak < one.disk_peak < two.disk_peak == 2 * two.rows[0].peak


def test_all_obstacles_are_named_at_once(posters):
    survey = Survey(sizes={"posters": 10**18}, accepted={"posters": False}, problems={"prints": "It is closed."})
    plan = plan_of(posters, survey=survey, problem="Kaggle is down.")
    text = " ".join(plan.obstacles)
    assert plan.lacks_disk
    assert "are needed at the peak" in text
    assert "You must accept the rules of posters" in text
    assert "It is closed." in text
    assert "Kaggle is down." in text
    assert plan.pages == ["https://www.kaggle.com/c/posters/rules"]
    assert plan_of(posters, survey=Survey(accepted={"posters": True})).obstacles == ()


def test_time_depends_on_the_declared_or_measured_bandwidth(posters):
    assert plan_of(posters).bandwidth_is == "assumed"
    declared = plan_of(posters, bandwidth=1e6)
    assert declared.seconds > 500
    other = posters.raw_dir.parents[1] / "other"
    other.mkdir(parents=True)
    record = DownloadRecord(archive="other.zip", bytes=100 * MB, seconds=10, fetched=50 * MB, at=now())
    record.write(other)
    measured = plan_of(posters)
    assert (measured.bandwidth_is, measured.bandwidth) == ("measured", 5 * MB)


def test_competitions_are_named_by_id(registry):
    plan = plan_data(["pictures", "posters"], offline=True, registry=registry)
    assert [row.competition for row in plan.rows] == ["pictures", "posters"]
    with pytest.raises(UsageError, match="at least one competition"):
        plan_data([], registry=registry)
