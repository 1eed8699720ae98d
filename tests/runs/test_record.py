import json
import math

import pytest
from pydantic import ValidationError

from mlebench.runs.record import GroupRecord, RunRecord, Status, digest_of
from mlebench.tasks.ref import TaskRef

from ..analysis.records import make_group, make_run, make_verdict


@pytest.mark.parametrize("score", [0.5, 0.1 + 0.2, math.nan, math.inf, -math.inf])
def test_a_run_is_the_same_after_a_round_trip_through_its_file(score):
    run = make_run(verdict=make_verdict().model_copy(update={"score": score, "unrounded_score": score}))
    again = RunRecord.model_validate_json(run.as_file())
    assert again.as_file() == run.as_file()
    assert repr(again.verdict.score) == repr(score)  # NaN differs from itself


def test_a_group_is_the_same_after_a_round_trip_through_its_file():
    group = make_group(make_run(), make_run(seed=1, verdict=make_verdict()))
    assert GroupRecord.model_validate_json(group.as_file()) == group


def test_runs_and_results_do_not_change_the_head_of_a_group_and_the_plan_does():
    group = make_group(make_run())
    later = group.model_copy(update={"runs": {}, "results": {"submission.jsonl": digest_of("")}})
    other = group.model_copy(update={"plan": group.plan.model_copy(update={"seeds": 99})})
    assert later.head_digest() == group.head_digest() != other.head_digest()


def test_records_cannot_be_changed():
    with pytest.raises(ValidationError, match="frozen"):
        make_run().status = Status.GRADED


def test_the_task_of_a_run_has_its_version():
    assert make_run().model_copy(update={"version": "v2"}).ref == TaskRef("spaceship-titanic", "v2")


def test_a_group_of_an_earlier_version_is_written_without_later_fields():
    group = make_group(make_run(), enforcement=None)
    assert not {"log", "enforcement"} & json.loads(group.as_file()).keys()
    assert group.head_digest() != make_group(make_run()).head_digest()
