"""Environments of agents are made once from their inputs, are read-only in runs, and are recorded."""

from __future__ import annotations

import pytest

from mlebench.agents import environment
from mlebench.errors import EnvironmentUnfitError
from mlebench.runs.events import read_events


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


@pytest.mark.slow("programs")
def test_a_package_that_cannot_be_installed_is_an_error(agent):
    agent.requirements.write_text("/no/such/folder\n")
    with pytest.raises(EnvironmentUnfitError, match="packages of the agent tested could not be installed"):
        environment.install_environment(agent)
    assert environment.find_environment(agent) is None


def test_the_environment_is_read_only_in_a_run(agent, stage):
    environment.install_environment(agent)
    (agent.folder / "start.py").write_text(
        "import own_package, pathlib\ntry:\n    pathlib.Path(own_package.__file__).write_text('x')\n"
        "except OSError as error:\n    print(error)"
    )
    assert "Read-only file system" in stage.play(agent, [], model="none").stdout
