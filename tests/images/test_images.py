"""Images: named by what went in, built once, and with everything in them that a job expects."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from mlebench.agents.declaration import Agent, AgentDeclaration
from mlebench.agents.image import ensure_image, make_recipe
from mlebench.errors import EngineError, EnvironmentUnfitError, UnknownNameError
from mlebench.images.build import build_recipe
from mlebench.images.image import list_images
from mlebench.images.recipe import Recipe
from mlebench.images.rootfs import import_rootfs

pytestmark = pytest.mark.timeout(600)
BASE = "mlebench/base:minimal"


@pytest.fixture
def agent(tmp_path):
    """A function that makes an agent with some files."""

    def make(**files):
        folder = tmp_path / "tested"
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            (folder / name.replace("_txt", ".txt")).write_text(content)
        return Agent(AgentDeclaration(id="tested", description="", command=("true",)), folder)

    return make


def test_the_same_inputs_are_the_same_image(docker):
    base = docker.inspect_image(BASE)["Config"]["Labels"]["mlebench.base"]
    built = build_recipe(docker, Recipe.for_base("minimal", base))
    image = built.image
    assert not built.is_new
    assert image.tag == f"mlebench/base:minimal-{image.inputs[:12]}"
    assert (image.kind, image.variant, image.base) == ("base", "minimal", base)
    assert image in list_images(docker)


def test_what_a_base_image_holds(docker):
    script = (
        "id -u; ls -d /home/data /home/submission /home/code /home/logs /home/agent; pwd; "
        "python -c 'import numpy, pandas, sklearn, PIL; print(numpy.ones(2).sum())'; ls /run/ca.crt"
    )
    done = subprocess.run(
        [docker.program, "run", "--rm", "--network", "none", BASE, "sh", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    lines = done.stdout.split()
    assert lines[0] != "0"
    assert sorted(lines[1:6]) == ["/home/agent", "/home/code", "/home/data", "/home/logs", "/home/submission"]
    assert lines[6:] == ["/home/agent", "2.0"]
    assert "/run/ca.crt" in done.stderr  # the certificates of the build left no trace


def test_agents_images(docker, agent):
    base = docker.inspect_image(BASE)["Id"]
    assert ensure_image(docker, agent(), BASE) == base
    plain = agent(Dockerfile="ARG BASE_IMAGE\nFROM ${BASE_IMAGE}\nCOPY hello /opt/hello\n", hello="hi\n")
    first = ensure_image(docker, plain, BASE)
    assert first != base
    assert ensure_image(docker, plain, BASE) == first
    changed = ensure_image(docker, agent(hello="hello\n"), BASE)
    assert changed not in (base, first)
    labels = docker.inspect_image(changed)["Config"]["Labels"]
    assert (labels["mlebench.kind"], labels["mlebench.variant"], labels["mlebench.base"]) == ("agent", "tested", base)


def test_a_build_that_fails_says_what_was_wrong(docker, agent, is_one_sentence):
    broken = agent(Dockerfile="ARG BASE_IMAGE\nFROM ${BASE_IMAGE}\nRUN no-such-program\n")
    with pytest.raises(EngineError, match="could not build mlebench/agent-tested"):
        ensure_image(docker, broken, BASE)


def test_requirements_alone_make_an_image(agent):
    recipe = make_recipe(agent(requirements_txt="six\n"), BASE)
    assert [name for name, _ in recipe.files] == ["Dockerfile", "requirements.txt"]
    assert "BASE_IMAGE" in dict(recipe.files)["Dockerfile"].read_text()


def test_digests_tell_apart_what_differs(agent):
    first = make_recipe(agent(requirements_txt="six\n"), BASE)
    before = first.digest("sha256:1")
    assert before == first.digest("sha256:1") != first.digest("sha256:2")
    agent(requirements_txt="six==1\n")
    assert first.digest("sha256:1") != before


@pytest.mark.parametrize("variant", ["minimal", "cpu", "cuda"])
def test_variants(variant):
    recipe = Recipe.for_base(variant)
    assert all(path.is_file() for _, path in recipe.files)
    dockerfile = dict(recipe.files)["Dockerfile"].read_text()
    assert "syntax=" not in dockerfile
    with pytest.raises(UnknownNameError, match="minimal"):
        Recipe.for_base("minimul")


def test_an_empty_folder_is_no_root_file_system(docker, tmp_path):
    with pytest.raises(EnvironmentUnfitError, match="no usr/bin"):
        import_rootfs(docker, tmp_path)


def test_commands(docker):
    listed = json.loads(run("image", "list", "--json").stdout)
    assert {image["kind"] for image in listed} <= {"base", "agent"}
    base = docker.inspect_image(BASE)["Config"]["Labels"]["mlebench.base"]
    (built,) = json.loads(run("image", "build", "--variant", "minimal", "--base", base, "--json").stdout)
    assert built["built"] is False
    refused = run("image", "build", "--base", "x", "--bootstrap")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert run("image", "list", "--engine", "doker").returncode == 1


def run(*words):
    return subprocess.run(
        [sys.executable, "-m", "mlebench", *words], capture_output=True, text=True, check=False, timeout=120
    )
