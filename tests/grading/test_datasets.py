"""Several competitions are prepared and verified by one call."""

import json

import pytest

from mlebench import PrepareOptions, prepare, prepare_many, verify_data
from mlebench.data import Source
from mlebench.errors import DiskFullError, NotPreparedError, UsageError
from mlebench.tasks.registry import Registry

DEMOS = ["demo-wine", "demo-diabetes"]


@pytest.fixture
def registry(tmp_path):
    return Registry(tmp_path / "data")


@pytest.mark.slow("programs")
def test_competitions_are_prepared_concurrently_and_results_keep_their_order(registry):
    reported = []
    results = prepare_many(DEMOS, jobs=2, registry=registry, progress=reported.append)
    assert sorted(reported, key=lambda result: DEMOS.index(result.label)) == results
    assert [(result.label, result.outcome) for result in results] == [(name, "made") for name in DEMOS]
    assert {result.manifest.source for result in results} == {Source.EMBEDDED}
    again = prepare_many(DEMOS, jobs=2, registry=registry)
    assert [result.outcome for result in again] == ["already there"] * 2


@pytest.mark.slow("programs")
def test_rehearsal_data_are_prepared_where_data_are_not_embedded(registry):
    results = prepare_many(
        ["demo-wine", "leaf-classification"], options=PrepareOptions(rehearsal=True), registry=registry
    )
    assert [result.manifest.source for result in results] == [Source.EMBEDDED, Source.REHEARSAL]


@pytest.mark.slow("programs")
def test_a_failure_is_a_result(registry, tmp_path):
    options = PrepareOptions(raw=tmp_path / "nothing.zip")
    (result,) = prepare_many(["leaf-classification"], options=options, registry=registry)
    assert result.outcome == "failed"
    assert "There are no raw data at" in result.error


def test_raw_data_belong_to_one_competition(registry, tmp_path):
    with pytest.raises(UsageError, match="one competition"):
        prepare_many(DEMOS, options=PrepareOptions(raw=tmp_path), registry=registry)


@pytest.mark.slow("programs")
def test_a_disk_that_is_too_small_is_an_error_unless_the_plan_is_ignored(registry, monkeypatch):
    monkeypatch.setattr("mlebench.data.plan.free_bytes", lambda path: -1)
    with pytest.raises(DiskFullError, match="--ignore-plan"):
        prepare_many(DEMOS, registry=registry)
    assert not registry.get_data_dir().exists()
    assert [result.outcome for result in prepare_many(DEMOS, ignore_plan=True, registry=registry)] == ["made"] * 2


def test_all_prepared_data_are_verified_by_default(registry):
    for name in DEMOS:
        prepare(name, registry=registry)
    found = verify_data(registry=registry)
    assert sorted(each.verification.label for each in found) == sorted(DEMOS)
    assert all(each.agrees for each in found)
    answers = registry.get_competition("demo-wine").answers
    answers.write_text("changed\n")
    (broken,) = verify_data(["demo-wine"], registry=registry)
    assert not broken.agrees
    assert json.loads(json.dumps(broken.as_json()))["differences"][0]["path"] == f"private/{answers.name}"


def test_verifying_a_competition_that_is_not_prepared_is_an_error(registry):
    with pytest.raises(NotPreparedError):
        verify_data(["demo-wine"], registry=registry)
