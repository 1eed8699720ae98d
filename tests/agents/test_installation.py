"""What an agent runs on: installed once, found again, and an error that says how to install it."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import mlebench
from mlebench.agents import environment
from mlebench.agents.installation import Installation, find_installation, require_installation
from mlebench.cli.main import app
from mlebench.errors import EnvironmentUnfitError


def test_a_run_without_the_environment_says_how_to_install_it(agent, stage, is_one_sentence):
    assert find_installation(agent, "bubblewrap") is None
    with pytest.raises(EnvironmentUnfitError, match="mlebench agent install tested --sandbox bubblewrap"):
        require_installation(agent, "bubblewrap")
    with pytest.raises(EnvironmentUnfitError):
        stage.play(agent, [], model="none")
    assert not (stage.folder / "runs/group").exists()


def test_an_agent_with_only_an_image_needs_a_container_engine(agent, is_one_sentence):
    (agent.folder / "Dockerfile").write_text("ARG BASE_IMAGE\nFROM ${BASE_IMAGE}\n")
    assert find_installation(agent, "bubblewrap") is None  # its requirements work without the image
    agent.requirements.unlink()
    with pytest.raises(EnvironmentUnfitError, match="use --sandbox docker") as refusal:
        find_installation(agent, "bubblewrap")
    assert is_one_sentence(str(refusal.value))


@pytest.mark.slow("programs")
def test_the_command_says_what_it_installed(agent):
    (agent.folder / "agent.yaml").write_text("id: tested\ndescription: x\ncommand: ['{python}', start.py]\n")
    command = ["agent", "install", str(agent.folder)]
    assert CliRunner().invoke(app, command).stdout.startswith("installed: tested, 1 package, ")
    assert CliRunner().invoke(app, command).stdout.startswith("already installed: tested")
    facts = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)
    assert facts["digest"] == environment.find_environment(agent).digest
    assert "brings no packages" in CliRunner().invoke(app, ["agent", "install", "dummy"]).output
    assert CliRunner().invoke(app, [*command, "--python", "/bin/true"]).exit_code != 0


@pytest.mark.slow("programs")
def test_python_installs_with_the_words_of_the_command(agent):
    first = mlebench.install_agent(agent)
    again = mlebench.install_agent(agent, sandbox="process")
    assert (first.is_new, again.is_new) == (True, False)
    assert first.python == again.python == environment.find_environment(agent).executable
    assert mlebench.install_agent("dummy") == Installation()
