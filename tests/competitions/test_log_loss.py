"""From v2 on, logarithmic losses follow Kaggle's rules: rows are divided by their sums, and clipped at 1e-15."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.tasks.registry import Registry

REGISTRY = Registry()
IDS = [
    id
    for id in REGISTRY.list_competition_ids()
    if "v2" in REGISTRY.get_declaration(id).versions
    and REGISTRY.get_competition(f"{id}@v2").declaration.metric == "rescaled_log_loss"
]


def targets_of(competition_id: str) -> tuple[str, ...]:
    """Return the target columns; none if they are all columns but the ids."""
    return REGISTRY.get_declaration(competition_id).submission.targets or ()


@pytest.mark.parametrize("competition_id", IDS)
def test_a_sure_mistake_costs_what_it_cost_on_kaggle(competition_id, prepared, tmp_path):
    task = PreparedTask(prepared(f"{competition_id}@v2"), tmp_path / "submission.csv")
    truth = task.gold[task.targets].to_numpy(float)
    wrong = np.roll(truth, 1, axis=1) if truth.shape[1] > 1 else 1 - truth
    verdict, _ = task.submit(task.gold.assign(**dict(zip(task.targets, wrong.T, strict=True))))
    assert verdict.score == pytest.approx(-math.log(1e-15))


@pytest.mark.parametrize("competition_id", [id for id in IDS if len(targets_of(id)) != 1])
def test_rows_that_do_not_sum_to_one_are_graded(competition_id, prepared, tmp_path):
    task = PreparedTask(prepared(f"{competition_id}@v2"), tmp_path / "submission.csv")
    halves = task.gold[task.targets] / 2
    verdict, message = task.submit(task.gold.assign(**halves))
    assert verdict.score == pytest.approx(0), (verdict.reason, message)
