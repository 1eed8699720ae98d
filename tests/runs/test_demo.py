import pytest

from mlebench.errors import UnknownNameError, UsageError
from mlebench.runs.demo import demo_options
from mlebench.runs.planning import plan_group


def test_the_demo_plans_both_agents_on_embedded_data_only(tmp_path):
    options = demo_options(sandbox="process", parallel=1, runs_dir=tmp_path, data_dir=tmp_path)
    plan = plan_group(options).plan
    assert set(plan.agents) == {"dummy", "baseline"}
    assert all(competition.is_embedded for competition in plan.competitions.values())
    assert len(plan.runs) == 2 * len(plan.competitions) * 3


@pytest.mark.parametrize(
    ("changes", "error"), [({"sandbox": "dokcer"}, UnknownNameError), ({"sandbox": "process", "colour": 1}, UsageError)]
)
def test_wrong_options_of_the_demo_are_refused(changes, error):
    with pytest.raises(error):
        demo_options(**changes)
