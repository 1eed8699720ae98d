"""A gateway that serves several runs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mlebench.errors import MissingExtraError
from mlebench.gateway.models import ModelGateway


def test_runs_have_separate_usage(rig):
    server = rig.serve(["1", "2", "3"])
    gateway = rig.gateway(rig.config(server))
    first, second = rig.open(gateway, "a"), rig.open(gateway, "b")
    first.chat()
    first.chat()
    second.chat()
    assert first.model_server.usage().total.requests == 2
    assert second.model_server.usage().total.requests == 1
    assert second.model_server.usage().by_model["gpt"] == second.model_server.usage().total


def test_without_the_extra_the_command_to_install_it_is_named(rig, monkeypatch):
    config = rig.config(rig.serve([]))
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtraError, match=r"mlebench\[models\]"):
        ModelGateway(config, environment={"ONE_KEY": "x"})


@pytest.mark.slow("programs")
def test_importing_needs_no_extra():
    script = (
        "import sys, mlebench.gateway.models, mlebench.gateway.scripted; print({'httpx', 'h11'} & set(sys.modules))"
    )
    assert subprocess.check_output([sys.executable, "-c", script], text=True) == "set()\n"
