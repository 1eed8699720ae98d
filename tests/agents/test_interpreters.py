"""The interpreter of an agent's environment is new enough."""

import sys
from pathlib import Path

import pytest

from mlebench.agents import interpreters
from mlebench.agents.declaration import Agent
from mlebench.errors import EnvironmentUnfitError


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
