"""The measurement of the heaviest tasks runs; how much they take is for people to look at."""

import pytest

from benchmarks.heaviest.facts import HEAVIEST
from benchmarks.heaviest.measuring import StepFailedError, run_step
from benchmarks.heaviest.steps import STEPS, take

SCALE = 0.0005
GiB = 1024**3


@pytest.mark.parametrize("competition_id", HEAVIEST)
def test_every_heavy_task_is_made_prepared_and_graded(competition_id, tmp_path):
    told = {step: take(step, competition_id, tmp_path, SCALE) for step in STEPS}
    assert told["make"]["rows"] == pytest.approx(HEAVIEST[competition_id].rows * SCALE, rel=0.02)
    assert told["grade sample"]["score"] != told["grade submission"]["score"]


@pytest.mark.slow("programs")
def test_a_step_in_a_process_of_its_own_tells_what_it_took(tmp_path):
    told, cost = run_step("make", "champs-scalar-coupling", tmp_path, SCALE, GiB)
    assert told["rows"] > 0
    assert cost.peak >= cost.anonymous > 0
    assert cost.cpu_seconds > 0


@pytest.mark.slow("programs")
def test_a_step_that_takes_more_memory_than_it_may_fails(tmp_path):
    with pytest.raises(StepFailedError, match="champs-scalar-coupling, make"):
        run_step("make", "champs-scalar-coupling", tmp_path, 1.0, GiB // 16)
