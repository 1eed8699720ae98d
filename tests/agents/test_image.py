"""The image of an agent: from its Dockerfile or its requirements, named after its inputs."""

from __future__ import annotations

import pytest

from mlebench.agents.declaration import Agent, AgentDeclaration
from mlebench.agents.image import ensure_image, make_recipe
from mlebench.errors import EngineError

BASE = "mlebench/base:minimal"


@pytest.fixture
def agent(tmp_path):
    """A function that creates an agent with some files."""

    def make(**files):
        folder = tmp_path / "tested"
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            (folder / name.replace("_txt", ".txt")).write_text(content)
        return Agent(AgentDeclaration(id="tested", description="", command=("true",)), folder)

    return make


def test_a_dockerfile_makes_an_image_and_a_change_makes_another(docker, agent):
    base = docker.inspect_image(BASE).raw_id
    assert ensure_image(docker, agent(), BASE) == base
    plain = agent(Dockerfile="ARG BASE_IMAGE\nFROM ${BASE_IMAGE}\nCOPY hello /opt/hello\n", hello="hi\n")
    first = ensure_image(docker, plain, BASE)
    assert first != base
    assert ensure_image(docker, plain, BASE) == first
    changed = ensure_image(docker, agent(hello="hello\n"), BASE)
    assert changed not in (base, first)
    labels = docker.inspect_image(changed).labels
    assert (labels["mlebench.kind"], labels["mlebench.variant"], labels["mlebench.base"]) == ("agent", "tested", base)


def test_a_failed_build_reports_the_error(docker, agent):
    broken = agent(Dockerfile="ARG BASE_IMAGE\nFROM ${BASE_IMAGE}\nRUN no-such-program\n")
    with pytest.raises(EngineError, match="could not build mlebench/agent-tested"):
        ensure_image(docker, broken, BASE)


def test_requirements_alone_make_an_image(agent):
    recipe = make_recipe(agent(requirements_txt="six\n"), BASE)
    assert [name for name, _ in recipe.files] == ["Dockerfile", "requirements.txt"]
    assert "BASE_IMAGE" in dict(recipe.files)["Dockerfile"].read_text()


def test_digests_differ_when_inputs_differ(agent):
    first = make_recipe(agent(requirements_txt="six\n"), BASE)
    before = first.digest("sha256:1")
    assert before == first.digest("sha256:1") != first.digest("sha256:2")
    agent(requirements_txt="six==1\n")
    assert first.digest("sha256:1") != before
