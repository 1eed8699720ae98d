"""Agents are found by name, in plugin packages, and in folders."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mlebench
from mlebench.agents.registry import agent_folders, get_agent
from mlebench.errors import DeclarationError, UnknownNameError

DECLARATION = "id: mine\ndescription: Mine.\ncommand: ['{python}', start.py]\n"


def test_bundled_agents_have_the_id_of_their_folder():
    for name in ("dummy", "baseline"):
        agent = get_agent(name)
        assert agent.id == name == agent.folder.name
        assert agent.declaration.description.endswith(".")


def test_a_folder_is_an_agent(tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "agent.yaml").write_text(DECLARATION)
    assert get_agent(str(tmp_path / "mine")).id == "mine"
    monkeypatch.chdir(tmp_path)
    assert get_agent("mine").folder == (tmp_path / "mine").resolve()
    assert get_agent("./mine").id == "mine"
    agent = get_agent(tmp_path / "mine")
    assert agent.id == "mine"
    assert get_agent(agent) is agent


@pytest.mark.slow("programs")
def test_an_agent_of_a_plugin_has_the_name_of_its_entry_point(tmp_path):
    package = tmp_path / "my_agents" / "mine"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").touch()
    (package / "__init__.py").touch()
    (package / "agent.yaml").write_text(DECLARATION)
    about = tmp_path / "my_agents-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-agents\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[mlebench.agents]\nmine = my_agents.mine\n")
    script = (
        "import json; from mlebench.agents.registry import agent_folders, get_agent;"
        "print(json.dumps([*agent_folders(), get_agent('mine').id]))"
    )
    paths = os.pathsep.join((str(tmp_path), str(Path(mlebench.__file__).parents[1])))
    result = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": paths},
        check=True,
    )
    *names, identity = json.loads(result.stdout)
    assert identity == "mine"
    assert set(names) >= {"baseline", "dummy", "mine", "mlab"}


def test_a_wrong_name_gets_the_nearest_one():
    with pytest.raises(UnknownNameError, match="did you mean 'baseline'"):
        get_agent("basline")
    assert set(agent_folders()) >= {"baseline", "dummy"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id: [", "is not YAML"),
        ("id: a_b\ndescription: x\ncommand: [x]\n", "declares id wrongly"),
        ("id: ab\ndescription: x\ncommand: []\n", "declares command wrongly"),
        ("id: ab\ndescription: x\n", "declares command wrongly"),
        ("id: ab\ndescription: x\ncommand: [x]\nimages: y\n", "declares images wrongly"),
        ("id: ab\ndescription: x\ncommand: [x]\nformat_version: 2\n", "declares format_version wrongly"),
        ("id: ab\ndescription: x\ncommand: [x]\nvariants: {q: {id: y}}\n", "declares variants.q.id wrongly"),
        ("id: ab\ndescription: x\ncommand: [x]\nsecrets: [sk-123]\n", "declares secrets.0 wrongly"),
        ("id: ab\ndescription: x\ncommand: [x]\nrequirements: r.txt\n", "names the requirements r.txt"),
        ("- x\n", "declares the file wrongly"),
        (None, "has no agent.yaml"),
    ],
)
def test_an_invalid_declaration_is_named(tmp_path, content, message):
    if content is not None:
        (tmp_path / "agent.yaml").write_text(content)
    with pytest.raises(DeclarationError, match=message):
        get_agent(f"{tmp_path}/")
