"""The submission check stays what it is: it knows the form, serves, and keeps its harness in good health."""

import tempfile
from pathlib import Path

from mlebench.gateway.check import quota
from mlebench.sandbox.ending import Reason


def left_uploads():
    return set(Path(tempfile.gettempdir()).glob("mlebench-*.csv"))


def test_the_check_is_not_abused(field, isolating, host, monkeypatch):
    monkeypatch.setattr(quota, "MAX_CHECKS", 1000)
    monkeypatch.setattr(tempfile, "tempdir", str(field.host.folder))  # other tests upload too
    attack = field.alone(isolating, "prober", seconds=90)
    assert attack.run.ending.reason is Reason.FINISHED, attack.log
    assert attack.gained == {}
    assert attack.untried == {}
    assert "checks" in attack.limits_met()
    checks = [event for event in attack.events if event["kind"] == "check"]
    assert 100 < len(checks) <= 1000
    assert not [event for event in checks if event["status"] == 500], "the check itself failed"
    assert not left_uploads()
    assert host.is_unharmed()
