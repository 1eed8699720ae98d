from __future__ import annotations

import json

import pytest

from mlebench.errors import MLEBenchError


def test_text_and_json_list_the_same_agents(invoke):
    agents = [agent["name"] for agent in json.loads(invoke("agent", "list", "--json").stdout)]
    assert {"dummy", "baseline"} <= set(agents)
    assert [line.split()[0] for line in invoke("agent", "list").stdout.splitlines()] == agents


def test_an_agent_is_shown_with_its_command_and_its_needs(invoke):
    shown = {line.split(maxsplit=1)[0]: line for line in invoke("agent", "show", "dummy").stdout.splitlines()}
    assert {"agent", "description", "folder", "command", "packages", "models", "secrets", "needs"} <= shown.keys()
    assert shown["models"].split() == ["models", "none"]


def test_a_secret_is_named_but_never_shown(invoke, tmp_path, monkeypatch):
    invoke("agent", "new", "my-agent")
    declaration = tmp_path / "my-agent" / "agent.yaml"
    declaration.write_text(declaration.read_text() + "secrets: [MY_TOKEN, OTHER_TOKEN]\n")
    monkeypatch.setenv("MY_TOKEN", "very-secret")
    shown = invoke("agent", "show", "./my-agent")
    assert "MY_TOKEN (set), OTHER_TOKEN (not set)" in shown.stdout
    assert "very-secret" not in shown.output


def test_a_new_agent_is_a_folder_that_can_be_shown(invoke, tmp_path):
    made = invoke("agent", "new", "my-agent", "--in", tmp_path)
    assert made.stdout == f"{tmp_path / 'my-agent'}\n"
    assert json.loads(invoke("agent", "show", tmp_path / "my-agent", "--json").stdout)["name"] == "my-agent"


@pytest.mark.parametrize("name", ["My-Agent", "", "a/b", "a b"])
def test_a_new_agent_needs_a_plain_name(invoke, tmp_path, name):
    assert isinstance(invoke("agent", "new", name).exception, MLEBenchError)
    assert list(tmp_path.iterdir()) == []
