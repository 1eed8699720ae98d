"""Sandboxes are chosen by name, or as the safest that works."""

from __future__ import annotations

import json
import logging
import shutil
import subprocess
import sys

import pytest

from mlebench.errors import UnknownNameError
from mlebench.sandbox import find_isolating_sandbox, get_sandbox, sandbox_names
from mlebench.sandbox.bubblewrap import BubblewrapSandbox
from mlebench.sandbox.container import ContainerSandbox


def test_auto_is_the_safest_that_works(caplog, monkeypatch):
    assert sandbox_names() == ("bubblewrap", "docker", "podman", "process")
    with pytest.raises(UnknownNameError, match="bubblewrap"):
        get_sandbox("bubblewarp")
    monkeypatch.setattr(BubblewrapSandbox, "probe", lambda _: None)
    assert get_sandbox("auto").name == "bubblewrap"
    monkeypatch.setattr(BubblewrapSandbox, "probe", lambda _: "It is not installed.")
    monkeypatch.setattr(ContainerSandbox, "probe", lambda _: "It is not installed.")
    with caplog.at_level(logging.WARNING):
        assert get_sandbox("auto").name == "process"
    assert "NO ISOLATION" in caplog.text


def test_an_open_network_needs_a_sandbox_that_can_open_it(monkeypatch):
    for name in sandbox_names():
        monkeypatch.setattr(type(get_sandbox(name)), "probe", lambda _: None)
    assert (find_isolating_sandbox(), find_isolating_sandbox("open")) == ("bubblewrap", "docker")


@pytest.mark.slow("programs")
def test_a_probe_says_what_to_install(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert "apt-get install bubblewrap" in (BubblewrapSandbox().probe() or "")


def test_the_process_sandbox_guarantees_nothing_and_warns(bench, caplog):
    sandbox = get_sandbox("process")
    assert not any(sandbox.guarantees.values())
    assert all(BubblewrapSandbox.guarantees.values())
    result = bench(sandbox, "true")
    assert "NO ISOLATION" in caplog.text
    assert result.events.of("no_isolation")


@pytest.mark.slow("programs")
def test_looking_up_names_imports_nothing_heavy():
    script = "import sys, mlebench.sandbox; print(json.dumps(sorted(sys.modules)))"
    modules = json.loads(subprocess.check_output([sys.executable, "-c", "import json;" + script], text=True))
    assert not {"numpy", "pandas", "psutil", "pydantic", "mlebench.sandbox.bubblewrap"} & set(modules)
