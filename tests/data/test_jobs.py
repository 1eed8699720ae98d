"""A job carries its options and its last check to another process."""

import importlib

import pytest
from pydantic import ValidationError

from mlebench.data.jobs import Job, run_job
from mlebench.data.options import PrepareOptions
from mlebench.data.pool import run_jobs
from mlebench.errors import ChecksumError

from .conftest import zip_of_pictures

CHECKS = """\
from mlebench.errors import ChecksumError


def accept(competition, manifest, progress):
    progress.message(f"{competition.id} is checked.")
    return manifest.model_copy(update={"sample_checked": True})


def refuse(competition, manifest, progress):
    raise ChecksumError("These pictures are not right.")
"""


@pytest.fixture
def checks(tmp_path, monkeypatch):
    """A module of last checks that other processes can import."""
    (tmp_path / "last_checks.py").write_text(CHECKS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module("last_checks")


@pytest.fixture
def job_of(pictures):
    zip_of_pictures(pictures.raw_dir.parent / "pictures.zip")
    return lambda check: Job.of(pictures, PrepareOptions(skip_verification=True, keep_raw=False), check)


def test_a_job_is_the_same_after_a_round_trip_through_json(job_of, checks):
    job = job_of(checks.accept)
    assert Job.model_validate_json(job.model_dump_json()) == job


def test_the_last_check_may_update_the_manifest_or_refuse_the_data(job_of, checks, progress):
    result = run_job(job_of(checks.accept), progress)
    assert (result.outcome, result.manifest.sample_checked) == ("made", True)
    assert progress.messages == ["pictures is checked."]
    with pytest.raises(ChecksumError, match="not right"):
        run_job(job_of(checks.refuse), progress)


@pytest.mark.slow("programs")
@pytest.mark.parametrize(("name", "outcome"), [("accept", "made"), ("refuse", "failed")])
def test_a_worker_runs_the_last_check(name, outcome, job_of, checks, batch):
    (result,) = run_jobs([job_of(getattr(checks, name))], 1, batch)
    assert result.outcome == outcome
    if outcome == "failed":
        assert result.error == "These pictures are not right."
    else:
        assert result.manifest.sample_checked
        assert ("pictures", "pictures is checked.") in batch.messages


def test_a_check_that_cannot_be_imported_is_refused(job_of):
    values = job_of(None).model_dump(mode="json")
    with pytest.raises(ValidationError, match="nowhere"):
        Job.model_validate(values | {"check": "nowhere.check"})
