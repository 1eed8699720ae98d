"""The number of checks in a run."""

from __future__ import annotations

import json

from .conftest import ask, form


def test_checks_above_the_quota_are_refused(server, events, monkeypatch):
    monkeypatch.setattr("mlebench.gateway.check.quota.MAX_CHECKS", 3)
    answers = [ask(server, "POST", "/validate", *form(b"x")) for _ in range(5)]
    assert [status for status, _ in answers] == [200, 200, 200, 429, 429]
    assert "all of its 3 checks" in json.loads(answers[-1][1])["error"]
    assert [kind for kind, _ in events] == ["check"] * 3 + ["limit"]
    assert events[-1][1] == {"limit": "checks", "value": 4, "bound": 3}
