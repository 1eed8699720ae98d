from __future__ import annotations

import json

import pytest

import mlebench
from mlebench.errors import NotPreparedError, UnknownNameError
from mlebench.scan import SCANNERS


@pytest.fixture
def leaky(make, rows):
    """A task with a test row in the train table, and further fields of the declaration."""

    def make_leaky(**declared):
        train, test = rows(40), rows(10)
        test.loc[2, ["width", "height"]] = train.loc[7, ["width", "height"]]
        return make(train, test, **declared)

    return make_leaky


def test_a_report_holds_what_each_scanner_did(leaky):
    report = mlebench.scan_task(leaky(), only=["copies"])
    assert [run.scanner for run in report.scanners] == ["copies"]
    assert (report.label, report.test_items, report.train_items) == ("own", 10, 40)
    assert [finding.scanner for finding in report.findings] == ["copies"]
    assert json.loads(json.dumps(report.as_json()))["format_version"] == 1


def test_an_accepted_finding_becomes_a_note(leaky):
    accepted = {"scanner": "copies", "file": "test.*", "reason": "The rows are known."}
    report = mlebench.scan_task(leaky(accepted_findings=[accepted]), only=["copies"])
    assert report.findings == []
    assert [note.reason for note in report.notes] == ["The rows are known."]


@pytest.mark.parametrize(
    "other", [{"scanner": "order"}, {"file": "train.csv"}, {"column": "width"}, {"versions": ["v2"]}]
)
def test_a_finding_that_differs_from_the_accepted_one_stays(leaky, other):
    accepted = {"scanner": "copies", "file": "test.csv", "reason": "The rows are known.", **other}
    report = mlebench.scan_task(leaky(accepted_findings=[accepted]), only=["copies"])
    assert len(report.findings) == 1


def test_an_unknown_scanner_is_refused(leaky):
    with pytest.raises(UnknownNameError, match="did you mean 'copies'"):
        mlebench.scan_task(leaky(), only=["copy"])


def test_data_that_are_not_prepared_are_refused(registry):
    with pytest.raises(NotPreparedError, match="mlebench prepare -c demo-wine"):
        mlebench.scan_task("demo-wine", registry=registry)


def test_progress_hears_of_every_scanner(leaky):
    class Steps(list):
        def step(self, scanner):
            self.append(scanner)

        def advance(self, files): ...

    steps = Steps()
    mlebench.scan_task(leaky(), progress=steps)
    assert steps == list(SCANNERS)


def test_rehearsal_data_are_prepared_aside(registry):
    report = mlebench.scan_task("spaceship-titanic", registry=registry, rehearsal=True, only=["copies"])
    assert report.source == "rehearsal"
    assert not (registry.data_dir / "spaceship-titanic").exists()
