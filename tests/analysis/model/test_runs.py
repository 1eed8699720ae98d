from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mlebench.analysis.model import RunResult
from mlebench.grading.reports import Outcome
from mlebench.runs.record import Status


def make_result(**changes: Any) -> RunResult:
    """Make the result of a graded run."""
    values: dict[str, Any] = {
        "run_group": "group", "run_id": "a_aide_seed-0", "agent": "aide", "competition": "a", "seed": 0,
        "status": Status.GRADED, "finished": True, "outcome": Outcome.GRADED,
    }  # fmt: skip
    return RunResult(**values | changes)


@pytest.mark.parametrize(
    ("changes", "submitted", "valid"),
    [
        ({}, True, True),
        ({"outcome": Outcome.INVALID}, True, False),
        ({"outcome": Outcome.FAILED}, True, False),
        ({"outcome": Outcome.MISSING}, False, False),
        ({"finished": False}, False, False),
        ({"finished": False, "outcome": None}, False, False),
    ],
)
def test_only_a_finished_run_has_a_submission(changes: dict[str, Any], submitted: bool, valid: bool) -> None:
    result = make_result(**changes)
    assert (result.submitted, result.valid) == (submitted, valid)


@pytest.mark.parametrize(("data", "expected"), [(None, False), ("kaggle", False), ("rehearsal", True)])
def test_synthetic_data_are_a_rehearsal(data: str | None, expected: bool) -> None:
    assert make_result(data=data).is_rehearsal is expected


def test_the_folder_of_this_machine_is_never_in_a_report() -> None:
    assert "folder" not in make_result(folder=Path("somewhere")).model_dump()


def test_runs_of_one_agent_differ_by_competition_and_seed() -> None:
    runs = [make_result(), make_result(seed=1), make_result(competition="a@v2"), make_result(run_group="other")]
    assert len({run.key for run in runs}) == 3
