"""An experiment is one name for the options of a group; those of the paper are bundled."""

import json

import pytest
from typer.testing import CliRunner

from mlebench.agents.registry import agent_names, get_agent
from mlebench.authoring.agent.script import Script
from mlebench.cli.main import app
from mlebench.errors import DeclarationError, UnknownNameError, UsageError
from mlebench.gateway.scripted import ScriptedServer
from mlebench.runs.experiments import experiment_names, get_experiment
from mlebench.runs.profiles import get_profile
from mlebench.runs.reader import read_record
from mlebench.runs.record import GroupRecord
from mlebench.sandbox import get_sandbox
from mlebench.tasks.registry import Registry


def call(*words):
    return CliRunner().invoke(app, ["run", *map(str, words), "--json"])


@pytest.fixture
def mine(tmp_path):
    """A function that writes an experiment whose models are a scripted server."""

    def write(**more):
        with ScriptedServer([]) as server:
            address = f"{server.url}/v1"
        content = {
            "description": "Mine.",
            "agents": ["mlab/smoke"],
            "model": "small",
            "competitions": ["demo-wine"],
            "seeds": 2,
            "profile": "smoke",
            "models": {"upstreams": {"here": {"protocol": "openai", "base_url": address}}, "default_upstream": "here"},
        }
        path = tmp_path / "mine.yaml"
        path.write_text(json.dumps({key: value for key, value in (content | more).items() if value is not None}))
        return path

    return write


@pytest.mark.parametrize("name", experiment_names())
def test_bundled_experiments_are_consistent(name):
    says = get_experiment(name)
    assert says.description.endswith(".")
    for part in says.of:
        assert get_experiment(part).agents
    for agent in says.agents:
        assert agent in agent_names()
        settings = get_agent(agent).with_settings(model=says.model, roles=says.roles).declaration.model
        assert says.models is not None
        for model in settings.names:
            _, entry = says.models.find(model)
            assert settings.protocol in ("any", says.models.upstreams[entry.upstream].protocol)
    if says.agents:
        assert Registry().get_split(says.split)
        assert get_profile(says.profile)


def test_the_papers_settings():
    assert get_experiment("paper/mlab-gpt-4o").agents == ("mlab/paper-gpt-4o",)
    assert len(get_experiment("paper/table-2").of) == 6
    hours = {name: get_profile(get_experiment(f"paper/{name}").profile)[1].seconds / 3600 for name in ("cpu-only",)}
    assert hours == {"cpu-only": 24}
    assert get_profile(get_experiment("paper/two-gpus").profile)[1].gpus == 2
    assert get_profile(get_experiment("paper/aide-gpt-4o-100h").profile)[1].seconds == 360_000


@pytest.mark.slow("programs")
def test_options_replace_parts_of_an_experiment(mine, tmp_path):
    plain = call("--experiment", mine(), "--dry-run", "--runs-dir", tmp_path)
    assert plain.exit_code == 0, plain.output
    assert json.loads(plain.stdout)["run_ids"] == [f"demo-wine_mlab.smoke_seed-{seed}" for seed in (0, 1)]
    changed = call("--experiment", mine(), "--dry-run", "--seeds", "1", "-c", "demo-digits", "--runs-dir", tmp_path)
    assert json.loads(changed.stdout)["run_ids"] == ["demo-digits_mlab.smoke_seed-0"]
    other = call("--experiment", mine(), "--dry-run", "--model", "gpt-9", "--runs-dir", tmp_path)
    assert json.loads(other.stdout)["group"] != json.loads(plain.stdout)["group"]


@pytest.mark.slow("runs")
def test_an_experiment_runs_by_name(mine, tmp_path, prepared, require):
    require(get_sandbox("bubblewrap").probe())
    data = prepared("demo-wine").prepared_dir.parents[1]
    with ScriptedServer(Script.of(get_agent("mlab/smoke"))) as server:
        upstream = {"protocol": "openai", "base_url": f"{server.url}/v1"}
        path = mine(seeds=1, models={"upstreams": {"here": upstream}, "default_upstream": "here"})
        done = call("--experiment", path, "--runs-dir", tmp_path, "--data-dir", data, "--sandbox", "bubblewrap")
        assert done.exit_code == 0, done.output
        assert {asked.body["model"] for asked in server.requests} == {"small"}
    (record,) = (read_record(file, GroupRecord) for file in tmp_path.glob("*/metadata.json"))
    assert record.plan.experiment == "mine"
    assert record.plan.variables["mlab.smoke"]["MODEL"] == "small"
    assert record.plan.models.names == ("small",)
    assert [run.verdict.outcome for run in record.runs.values()] == ["graded"]


@pytest.mark.slow("programs")
def test_an_experiment_of_experiments_plans_each(mine, tmp_path):
    mine()
    both = tmp_path / "both.yaml"
    both.write_text(json.dumps({"description": "Both.", "of": [str(tmp_path / "mine.yaml")] * 2}))
    words = ["run", "--experiment", str(both), "--dry-run", "--runs-dir", str(tmp_path)]
    done = CliRunner().invoke(app, words)
    assert done.stdout.count("demo-wine_mlab.smoke_seed-1") == 2
    assert "All in one table: mlebench report" in done.stderr


def test_contradictions_are_refused(mine, tmp_path):
    with pytest.raises(UnknownNameError, match="did you mean 'paper/aide-gpt-4o'"):
        get_experiment("paper/aide-gpt4o")
    with pytest.raises(UsageError, match="no experiment file"):
        get_experiment(str(tmp_path / "none.yaml"))
    with pytest.raises(DeclarationError, match="name either agents or"):
        get_experiment(str(mine(agents=None)))
    both = tmp_path / "both.yaml"
    both.write_text(json.dumps({"description": "Both.", "of": [str(mine())]}))
    assert isinstance(call("--experiment", both, "--group", "x").exception, UsageError)
    assert isinstance(call("-c", "demo-wine").exception, UsageError)
