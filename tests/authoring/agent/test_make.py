"""The folder of a new agent works from the start, in every kind of sandbox."""

import json

import pytest
from typer.testing import CliRunner

import mlebench
from mlebench.cli.main import app
from mlebench.errors import UsageError
from mlebench.sandbox import get_sandbox


@pytest.mark.slow("programs")
@pytest.mark.parametrize("sandbox", ["bubblewrap", "docker", "process"])
def test_a_new_agent_passes_its_check(tmp_path, sandbox, require, monkeypatch, request):
    if sandbox == "docker":
        request.getfixturevalue("docker")
    require(get_sandbox(sandbox).probe())
    monkeypatch.chdir(tmp_path)
    made = CliRunner().invoke(app, ["agent", "new", "my-agent"])
    assert made.stdout.strip() == "my-agent"
    assert "NAME" not in "".join(path.read_text() for path in (tmp_path / "my-agent").iterdir())
    command = ["agent", "check", "./my-agent", "--sandbox", sandbox, "--data-dir", str(tmp_path / "data"), "--json"]
    checked = CliRunner().invoke(app, command)
    assert (checked.exit_code, json.loads(checked.stdout)["findings"]) == (0, [])


def test_a_folder_that_exists_is_left_alone(tmp_path):
    (tmp_path / "mine").mkdir()
    with pytest.raises(UsageError, match="exists already"):
        mlebench.make_agent("mine", tmp_path)
    assert list((tmp_path / "mine").iterdir()) == []


@pytest.mark.parametrize("name", ["", "My-agent", "my_agent", "-agent", "a/b", "../agent"])
def test_a_name_that_cannot_be_an_id_is_refused(name, tmp_path):
    with pytest.raises(UsageError, match="is not allowed"):
        mlebench.make_agent(name, tmp_path)
    assert list(tmp_path.iterdir()) == []
