from __future__ import annotations

import dataclasses
from datetime import UTC, datetime

import pytest

from mlebench.data import Source
from mlebench.data.manifest import MANIFEST, Manifest
from mlebench.data.progress import LogProgress
from mlebench.errors import ChecksumError
from mlebench.grading.sample import check_sample, sample_problem


@pytest.fixture
def task(ship):
    """A function that returns the competition with another sample score on record."""

    def make(sample_score, **changes):
        declaration = ship.declaration.model_copy(update={"sample_score": sample_score})
        return dataclasses.replace(ship, declaration=declaration, **changes)

    return make


@pytest.fixture
def manifest(ship):
    return Manifest(
        competition_id=ship.id,
        version="v1",
        source=Source.KAGGLE,
        public_files=3,
        private_files=1,
        bytes=100,
        prepared_at=datetime(2026, 1, 2, tzinfo=UTC),
        mlebench_version="0.1.0",
    )


@pytest.mark.parametrize("on_record", [0.5, 0.500004])
def test_the_score_on_record_is_compared_to_five_places(on_record, task, manifest):
    assert sample_problem(task(on_record), manifest) is None


def test_another_score_is_reported_with_both_values(task, manifest, is_one_sentence):
    problem = sample_problem(task(0.50001), manifest)
    assert problem.startswith("The sample submission of spaceship-titanic gets 0.5, but 0.50001 is on record")
    assert is_one_sentence(problem)


def test_a_sample_that_cannot_be_graded_is_reported_with_the_reason(task, manifest, tmp_path):
    problem = sample_problem(task(0.5, sample_submission=tmp_path / "none.csv"), manifest)
    assert "is not graded (" in problem


@pytest.mark.parametrize("source", [source for source in Source if source is not Source.KAGGLE])
def test_only_real_data_are_compared(source, task, manifest):
    assert sample_problem(task(0.9), manifest.model_copy(update={"source": source})) is None


def test_an_unknown_score_is_not_compared(task, manifest, registry):
    assert sample_problem(task(None), manifest) is None
    assert registry.get_competition("spaceship-titanic@v2").declaration.sample_score is None


def test_a_check_that_passes_is_recorded_and_one_that_fails_is_not(task, manifest, tmp_path):
    public = tmp_path / "prepared" / "public"
    public.mkdir(parents=True)
    record = public.parent / MANIFEST
    with pytest.raises(ChecksumError, match="on record"):
        check_sample(task(0.9, public_dir=public), manifest, LogProgress())
    assert not record.exists()
    checked = check_sample(task(0.5, public_dir=public), manifest, LogProgress())
    assert checked == manifest.model_copy(update={"sample_checked": True})
    assert Manifest.model_validate_json(record.read_bytes()) == checked


def test_a_sample_is_not_checked_again(task, manifest):
    checked = manifest.model_copy(update={"sample_checked": True})
    assert check_sample(task(0.9), checked, LogProgress()) is checked
