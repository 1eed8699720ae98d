"""The measurement of the heaviest tasks runs; the numbers themselves are for people."""

import pytest

from benchmarks.heaviest.facts import HEAVIEST
from benchmarks.heaviest.measuring import StepFailedError, run_step
from benchmarks.heaviest.steps import STEPS, run

SCALE = 0.0005
GiB = 1024**3


@pytest.mark.parametrize("competition_id", HEAVIEST)
def test_every_heavy_task_is_made_prepared_and_graded(competition_id, tmp_path):
    output = {step: run(step, competition_id, tmp_path, SCALE) for step in STEPS}
    assert output["make"]["rows"] == pytest.approx(HEAVIEST[competition_id].rows * SCALE, rel=0.02)
    assert output["grade sample"]["score"] != output["grade submission"]["score"]


@pytest.mark.slow("programs")
def test_a_step_in_its_own_process_reports_its_cost(tmp_path):
    output, cost = run_step("make", "champs-scalar-coupling", tmp_path, SCALE, GiB)
    assert output["rows"] > 0
    assert cost.peak >= cost.anonymous > 0
    assert cost.cpu_seconds > 0


@pytest.mark.slow("programs")
def test_a_step_above_its_memory_limit_fails(tmp_path):
    with pytest.raises(StepFailedError, match="champs-scalar-coupling, make"):
        run_step("make", "champs-scalar-coupling", tmp_path, 1.0, GiB // 16)
