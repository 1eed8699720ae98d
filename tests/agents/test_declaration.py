"""The declaration of an agent, and its variants."""

import subprocess
import sys

import pytest

from mlebench.agents.declaration import Agent
from mlebench.agents.registry import agent_names, get_agent
from mlebench.authoring.agent.script import SCRIPT_FILE, Script
from mlebench.errors import DeclarationError, UnknownNameError, UsageError
from mlebench.gateway.models import ModelsConfig
from mlebench.runs.plan import Models, Plan
from mlebench.sandbox.limits import GiB, Limits

FULL = """
id: mine
description: Mine.
command: ["{python}", start.py]
environment: {STEPS: 500, FAST: true, NAME: x}
model: {name: large, roles: {fast: small}, temperature: 0.5, max_tokens: 100}
secrets: [OPENAI_API_KEY]
resources: {memory_gib: 2, gpus: 1}
variants:
  paper:
    description: As published.
    environment: {STEPS: 2000, NAME: null}
  short:
    extends: paper
    environment: {STEPS: 3}
    model: {name: other, temperature: null}
    command: [sh, start.sh]
    resources: {gpus: 0}
"""


@pytest.fixture
def mine(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "agent.yaml").write_text(FULL)
    return folder


def test_variables_tell_an_agent_its_settings_and_its_model(mine):
    assert Agent.read(mine).declaration.variables() == {
        "MODEL": "large",
        "MODEL_FAST": "small",
        "MODEL_TEMPERATURE": "0.5",
        "MODEL_MAX_TOKENS": "100",
        "STEPS": "500",
        "FAST": "true",
        "NAME": "x",
    }


def test_variants_say_only_what_differs(mine):
    short = get_agent(f"{mine}/short")
    assert (short.id, short.family, short.name) == ("mine.short", "mine", "mine/short")
    assert short.declaration.description == "As published."
    assert short.declaration.environment == {"STEPS": "3", "FAST": "true"}
    assert short.declaration.command == ("sh", "start.sh")
    assert short.declaration.model.names == ("other", "small")
    assert short.declaration.model.temperature is None
    assert short.declaration.model.max_tokens == 100
    assert (short.declaration.resources.memory_gib, short.declaration.resources.gpus) == (2, 0)
    assert short.declaration.variants == {}
    assert short.folder == mine.resolve()


def test_variants_that_are_wrong_are_named(mine):
    with pytest.raises(UnknownNameError, match="did you mean 'paper'"):
        get_agent(f"{mine}/papr")
    (mine / "agent.yaml").write_text(FULL.replace("extends: paper", "extends: short"))
    with pytest.raises(DeclarationError, match="extend each other"):
        get_agent(f"{mine}/short")
    (mine / "agent.yaml").write_text(FULL.replace("temperature: null", "temperature: -1"))
    with pytest.raises(DeclarationError, match="temperature wrongly"):
        get_agent(f"{mine}/short")


def test_another_model_and_other_variables_keep_the_rest(mine):
    agent = Agent.read(mine).with_settings(model="new", roles={"edit": "e"}, environment={"STEPS": "1"})
    assert agent.declaration.model.names == ("new", "small", "e")
    assert agent.declaration.environment == {"STEPS": "1", "FAST": "true", "NAME": "x"}


def test_a_file_of_comments_requires_nothing(mine):
    assert Agent.read(mine).requirements is None
    (mine / "requirements.txt").write_text("# none yet\n\n")
    assert Agent.read(mine).requirements is None
    (mine / "requirements.txt").write_text("attrs\n")
    assert Agent.read(mine).requirements == mine / "requirements.txt"


@pytest.mark.parametrize("name", agent_names())
def test_every_named_agent_can_be_read_and_has_the_id_of_its_name(name):
    agent = get_agent(name)
    assert agent.name == name
    assert agent.id == name.replace("/", ".")
    assert agent.declaration.description.endswith(".")
    assert Script.of(agent).replies
    assert bool(agent.declaration.model.names) == (agent.folder / SCRIPT_FILE).exists()


def test_a_plan_that_an_agent_cannot_work_with_is_refused(mine, prepared):
    agent = Agent.read(mine)
    wine = prepared("demo-wine")

    def plan(memory=4 * GiB, gpus=1, names=("large", "small"), protocol="openai"):
        upstreams = {"here": {"protocol": protocol, "base_url": "http://127.0.0.1:9/v1"}}
        offered = {name: {"upstream": "here"} for name in names}
        models = Models(ModelsConfig(upstreams=upstreams, models=offered)) if names else None
        limits = Limits(memory=memory)
        return Plan({agent.id: agent}, {wine.label: wine}, 1, "process", limits, gpus=gpus, models=models)

    assert plan().record.variables["mine"]["MODEL"] == "large"
    for options, message in (
        ({"memory": GiB}, "at least 2 GiB of memory"),
        ({"gpus": 0}, "at least 1 GPUs"),
        ({"names": ()}, "asks the model 'large', and the run offers no models"),
        ({"protocol": "anthropic"}, "speaks the protocol openai, and the upstream 'here'"),
        ({"names": ("large",)}, "asks the model 'small', and the models file offers large"),
    ):
        with pytest.raises(UsageError, match=message):
            plan(**options)


def test_another_model_is_another_group(mine, prepared):
    wine = prepared("demo-wine")
    config = Models(
        ModelsConfig(
            upstreams={"here": {"protocol": "openai", "base_url": "http://127.0.0.1:9/v1"}}, default_upstream="here"
        )
    )

    def name(model):
        agent = Agent.read(mine).with_settings(model=model)
        return Plan({agent.id: agent}, {wine.label: wine}, 1, "process", Limits(), gpus=1, models=config).default_name()

    assert name("a") == name("a") != name("b")


def test_the_command_shows_the_changes_of_a_variant(mine):
    command = [sys.executable, "-m", "mlebench", "agent", "show", f"{mine}/short"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, env={"OPENAI_API_KEY": "sk-1"}).stdout
    assert "STEPS=3" in shown
    assert "OPENAI_API_KEY (set)" in shown
    assert "sk-1" not in shown
