"""The measurement of the widest submissions makes and judges them; the numbers themselves are for people."""

from __future__ import annotations

import pytest

from benchmarks.widest import answers, submissions
from benchmarks.widest.__main__ import MAX_BYTES, MAX_SECONDS, Result
from benchmarks.widest.facts import ROWS
from benchmarks.widest.steps import judge
from mlebench.tasks.registry import Registry

TASKS = (
    "3d-object-detection-for-autonomous-vehicles",
    "google-research-identify-contrails-reduce-global-warming",
    "kuzushiji-recognition",
    "leaf-classification",
    "tensorflow2-question-answering",
)


def test_every_task_with_real_data_has_its_number_of_rows():
    registry = Registry()
    ids = [id for id in registry.list_competition_ids() if not id.startswith("demo-")]
    assert set(ROWS) == set(ids)


@pytest.mark.parametrize("competition_id", TASKS)
def test_submissions_are_as_large_as_wanted_and_have_an_outcome(competition_id, prepared, tmp_path, monkeypatch):
    source = prepared(competition_id).prepared_dir.parents[1]
    monkeypatch.setattr(answers, "MAX_ROWS", 200)
    monkeypatch.setattr(submissions, "MANY", 100)
    monkeypatch.setattr(submissions, "MAX_COLUMNS", 300)
    competition = answers.enlarge(source, tmp_path, competition_id)
    sizes = dict(submissions.write(competition, tmp_path, None, 2**17 + submissions.SPARE))
    assert all(2**16 < sizes[name] <= 2**17 for name in ("digits", "one cell") if name in sizes)
    outcomes = {name: judge(tmp_path, competition_id, name)["outcome"] for name in sizes}
    assert outcomes["sample"] == "graded"
    assert set(outcomes.values()) <= {"graded", "invalid"}


@pytest.mark.parametrize(
    ("seconds", "peak", "is_over"), [(MAX_SECONDS, MAX_BYTES, False), (60.1, 0, True), (1, MAX_BYTES + 1, True)]
)
def test_what_is_above_a_bound_is_marked(seconds, peak, is_over):
    for grade, check in ((seconds, 0.0), (0.0, seconds)):
        assert Result("task", "kind", 1, "graded", grade, check, peak, "").is_over is is_over
