from __future__ import annotations

import json

from mlebench.errors import UnknownNameError


def test_an_agent_without_packages_has_nothing_to_install(invoke):
    done = invoke("agent", "install", "dummy", "--sandbox", "process")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "brings no packages" in done.stderr


def test_json_says_that_nothing_was_installed(invoke):
    done = invoke("agent", "install", "dummy", "--sandbox", "process", "--json")
    assert json.loads(done.stdout) == {"agent": "dummy", "installed": False}


def test_an_unknown_agent_is_an_error_with_the_nearest_name(invoke):
    error = invoke("agent", "install", "dumy").exception
    assert isinstance(error, UnknownNameError)
    assert "did you mean 'dummy'?" in str(error)
