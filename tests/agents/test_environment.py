"""Environments of agents are made once from their inputs, are read-only in runs, and are recorded."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import mlebench
from mlebench.agents import environment, interpreters
from mlebench.agents.declaration import Agent, AgentDeclaration
from mlebench.agents.installation import Installation, find_installation, require_installation
from mlebench.cli.main import app
from mlebench.errors import EnvironmentUnfitError
from mlebench.runs.events import read_events

OWN = """
import os, sys, own_package
open(os.environ["LOGS_DIR"] + "/seen", "w").write(sys.executable + own_package.__file__)
"""


@pytest.fixture
def agent(tmp_path, monkeypatch):
    """An agent whose one requirement lies in a folder, and the base image's packages left out: quickly installed."""
    monkeypatch.setenv(environment.FOLDER_VARIABLE, str(tmp_path / "environments"))
    nothing = tmp_path / "nothing.txt"
    nothing.touch()
    monkeypatch.setattr(environment, "base_requirements", lambda variant: nothing)
    package = tmp_path / "own"
    (package / "own_package").mkdir(parents=True)
    (package / "own_package/__init__.py").touch()
    about = "[build-system]\nrequires = []\nbuild-backend = 'build'\nbackend-path = ['.']\n"
    (package / "pyproject.toml").write_text(about + "[project]\nname = 'own-package'\nversion = '1.0'\n")
    (package / "build.py").write_text(BACKEND)
    folder = tmp_path / "agent"
    folder.mkdir()
    (folder / "start.py").write_text(OWN)
    (folder / "requirements.txt").write_text(f"{package}\n")
    return Agent(AgentDeclaration(id="tested", description="", command=("{python}", "start.py")), folder)


BACKEND = """
import zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    about = "own_package-1.0.dist-info"
    with zipfile.ZipFile(f"{folder}/own_package-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("own_package/__init__.py", "")
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\\nName: own-package\\nVersion: 1.0\\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{about}/RECORD", "")
    return "own_package-1.0-py3-none-any.whl"
"""


@pytest.mark.slow("programs")
def test_an_environment_is_made_once_and_found_until_the_requirements_change(agent):
    assert environment.find_environment(agent) is None
    first, is_new = environment.install_environment(agent)
    assert is_new
    assert "own-package==1.0" in first.packages
    assert environment.install_environment(agent) == (first, False)
    assert environment.find_environment(agent) == first
    again, is_new = environment.install_environment(agent, force=True)
    assert is_new
    assert again.digest == first.digest
    (first.folder / environment.RECORD).unlink()  # as after a killed installation
    assert environment.find_environment(agent) is None
    assert environment.install_environment(agent)[1]
    agent.requirements.write_text(agent.requirements.read_text() + "# changed\n")
    assert environment.find_environment(agent) is None


def test_a_run_sees_the_environment_and_records_it(agent, stage):
    made, _ = environment.install_environment(agent)
    for sandbox in ("bubblewrap", "process"):
        played = stage.play(agent, [], model="none", sandbox=sandbox, group=sandbox)
        seen = (played.folder / "logs/seen").read_text()
        assert seen.startswith(str(made.executable)), played.stdout
        assert str(made.folder / "lib") in seen
        (inputs,) = [event for event in read_events(played.folder / "events.jsonl") if event["kind"] == "inputs"]
        assert inputs["agent_packages"] == made.digest


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
def test_a_package_that_cannot_be_installed_is_an_error(agent):
    agent.requirements.write_text("/no/such/folder\n")
    with pytest.raises(EnvironmentUnfitError, match="packages of the agent tested could not be installed"):
        environment.install_environment(agent)
    assert environment.find_environment(agent) is None


@pytest.mark.slow("programs")
def test_the_interpreter_is_new_enough(agent, monkeypatch):
    assert interpreters.find_python(agent).version == sys.version.split()[0]
    newer = agent.declaration.model_copy(update={"python": "3.99"})
    future = Agent(newer, agent.folder)
    with pytest.raises(EnvironmentUnfitError, match=r"needs Python 3\.99 or newer"):
        interpreters.find_python(future)
    with pytest.raises(EnvironmentUnfitError, match=r"3\.99 or newer"):
        interpreters.find_python(future, Path(sys.executable))
    with pytest.raises(EnvironmentUnfitError, match="is not a Python"):
        interpreters.find_python(agent, Path("/bin/true"))


def test_the_environment_is_read_only_in_a_run(agent, stage):
    environment.install_environment(agent)
    (agent.folder / "start.py").write_text(
        "import own_package, pathlib\ntry:\n    pathlib.Path(own_package.__file__).write_text('x')\n"
        "except OSError as error:\n    print(error)"
    )
    assert "Read-only file system" in stage.play(agent, [], model="none").stdout


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
