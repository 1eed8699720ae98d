from __future__ import annotations

import json

import pytest


@pytest.fixture
def broken(invoke, tmp_path):
    """An agent whose command names a program that does not exist, so that it is not rehearsed."""
    invoke("agent", "new", "broken")
    (tmp_path / "broken" / "agent.yaml").write_text(
        "id: broken\ndescription: It has no program.\ncommand: [./nothing.sh]\n"
    )
    return tmp_path / "broken"


def test_what_must_be_fixed_is_printed_and_is_exit_code_1(invoke, broken):
    checked = invoke("agent", "check", broken, "--sandbox", "process")
    assert checked.exit_code == 1
    assert checked.stdout.startswith("fix   ")
    assert "nothing.sh" in checked.stdout


def test_json_has_the_findings_and_no_run(invoke, broken):
    found = json.loads(invoke("agent", "check", broken, "--sandbox", "process", "--json").stdout)
    assert found["run"] is None
    assert any(finding["fatal"] for finding in found["findings"])
