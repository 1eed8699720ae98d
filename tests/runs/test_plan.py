import dataclasses

import pytest

from mlebench.agents.declaration import Needs
from mlebench.agents.registry import get_agent
from mlebench.errors import UsageError
from mlebench.gateway.models import ModelsConfig
from mlebench.runs.plan import Models, Plan, check_group_name, require_needs
from mlebench.runs.record import ModelsRecord
from mlebench.sandbox.limits import GiB, Limits
from mlebench.tasks.registry import Registry


@pytest.fixture
def plan():
    """Two agents, two competitions and two seeds."""
    agents = {name: get_agent(name) for name in ("dummy", "baseline")}
    registry = Registry()
    competitions = {name: registry.get_competition(name) for name in ("demo-wine", "spaceship-titanic@v2")}
    return Plan(agents, competitions, 2, "process", Limits())


def test_complete_seeds_come_first_and_names_have_the_version(plan):
    assert [run.run_id for run in plan.runs] == [
        f"{label}_{agent}_seed-{seed}"
        for seed in (0, 1)
        for label in ("demo-wine", "spaceship-titanic@v2")
        for agent in ("dummy", "baseline")
    ]
    assert {(run.competition_id, run.version) for run in plan.runs} == {
        ("demo-wine", "v1"),
        ("spaceship-titanic", "v2"),
    }


def test_equal_plans_have_one_name_and_different_plans_different_ones(plan):
    changes = [{}, {"seeds": 3}, {"obfuscated": True}, {"gpus": 1}, {"limits": Limits(seconds=1)}]
    names = [dataclasses.replace(plan, **change).default_name() for change in changes]
    assert len(set(names)) == len(changes)
    assert dataclasses.replace(plan).default_name() == names[0]
    assert names[0].startswith("dummy-baseline.selection.2-seeds.")
    assert all(check_group_name(name) for name in names)


def record_of(**upstream):
    here = {"protocol": "openai", "base_url": "http://a/v1", **upstream}
    return Models(ModelsConfig(upstreams={"one": here}, models={"gpt": {"upstream": "one"}})).record


def test_the_record_of_models_is_that_of_earlier_versions_unless_it_allows_more():
    """An interrupted group is continued by a later version, so the digest must not depend on settings that are new."""
    plain, more = record_of(), record_of(allowed_fields=["top_a", "prediction"])
    assert plain.config == "0bb4f00e8c896ec7bc428959a1dffc3c81ca6bb1394d2ed988a0aa09cd9072e3"
    assert "allowed_fields" not in plain.model_dump_json()
    assert more.allowed_fields == {"one": ("top_a", "prediction")}
    assert plain.config != more.config != record_of(max_output_tokens=5).config
    for record in (plain, more):
        assert ModelsRecord.model_validate_json(record.model_dump_json()) == record


@pytest.mark.parametrize("change", [{"agents": {}}, {"competitions": {}}, {"seeds": 0}])
def test_an_empty_plan_is_refused(plan, change):
    with pytest.raises(UsageError, match="at least one agent, one competition and one seed"):
        dataclasses.replace(plan, **change)


@pytest.mark.parametrize(
    ("needs", "words"),
    [
        ({"seconds": 101}, "at least 101 seconds, and a run has 100.*--time-limit"),
        ({"memory_gib": 2.5}, "at least 2.5 GiB of memory, and a run has 2.*--memory"),
        ({"gpus": 1}, "at least 1 GPUs, and a run has 0.*--gpus"),
        ({"seconds": 100, "memory_gib": 2, "gpus": 0, "cpus": 64}, None),
    ],
)
def test_an_agent_gets_at_least_what_it_needs(needs, words):
    agent = get_agent("dummy")
    declaration = agent.declaration.model_copy(update={"resources": Needs(**needs)})
    agent, limits = dataclasses.replace(agent, declaration=declaration), Limits(seconds=100, memory=2 * GiB)
    if words is None:  # without a limit of cores, any number is there
        require_needs(agent, limits, 0)
    else:
        with pytest.raises(UsageError, match=words):
            require_needs(agent, limits, 0)


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "a b", "x\n"])
def test_group_names_stay_in_their_folder(name):
    with pytest.raises(UsageError):
        check_group_name(name)
