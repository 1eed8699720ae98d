from __future__ import annotations

import json

import pytest

from mlebench.runs.doctor import Check, Diagnosis

WORKS = Check("python", works=True, needed=True, facts="3.11", remedy="Install Python.")
OPTIONAL = Check("gpu", works=False, needed=False, facts="none found", remedy="Install a driver.")
NEEDED = Check("bubblewrap", works=False, needed=True, facts="not installed", remedy="Install bubblewrap.")


@pytest.fixture
def diagnose(invoke, monkeypatch):
    """A function that runs `mlebench doctor` on a machine with these checks."""

    def diagnose(*checks, args=()):
        monkeypatch.setattr("mlebench.doctor", lambda data_dir: Diagnosis(checks), raising=False)
        return invoke("doctor", *args)

    return diagnose


@pytest.mark.parametrize(("checks", "code"), [((WORKS,), 0), ((WORKS, OPTIONAL), 0), ((OPTIONAL, NEEDED), 3), ((), 0)])
def test_only_what_is_needed_decides_the_exit_code(diagnose, checks, code):
    assert diagnose(*checks).exit_code == code


def test_a_remedy_is_printed_only_for_what_does_not_work(diagnose):
    shown = diagnose(WORKS, OPTIONAL, NEEDED).stdout
    assert "Install Python." not in shown
    assert shown.splitlines() == [
        "ok       python       3.11",
        "none     gpu          none found",
        " " * 22 + "Install a driver.",
        "missing  bubblewrap   not installed",
        " " * 22 + "Install bubblewrap.",
    ]


def test_json_has_every_check_and_the_verdict(diagnose):
    found = json.loads(diagnose(WORKS, NEEDED, args=["--json"]).stdout)
    assert found["healthy"] is False
    assert [check["name"] for check in found["findings"]] == ["python", "bubblewrap"]
