import pytest

from mlebench.agents.registry import get_agent
from mlebench.data import Source, data_source, is_dataset_prepared
from mlebench.errors import NotPreparedError
from mlebench.runs.plan import Plan
from mlebench.runs.readiness import ensure_prepared, missing_packages
from mlebench.sandbox.limits import Limits


def test_data_that_need_no_download_are_prepared_and_the_others_are_named(registry):
    wine, *others = map(registry.get_competition, ("demo-wine", "leaf-classification", "spaceship-titanic@v2"))
    with pytest.raises(NotPreparedError, match=r"Not prepared: leaf-classification, spaceship-titanic@v2\. Run: "):
        ensure_prepared([wine, *others])
    assert is_dataset_prepared(wine)
    assert not any(map(is_dataset_prepared, others))
    ensure_prepared([wine])


def test_a_rehearsal_prepares_everything(registry):
    competitions = [registry.get_competition(name) for name in ("demo-wine", "spaceship-titanic")]
    ensure_prepared(competitions, rehearsal=True)
    assert list(map(data_source, competitions)) == [Source.EMBEDDED, Source.REHEARSAL]


def test_an_agent_without_requirements_lacks_no_packages(registry):
    plan = Plan(
        {"dummy": get_agent("dummy")}, {"demo-wine": registry.get_competition("demo-wine")}, 1, "process", Limits()
    )
    assert missing_packages(plan) == []
