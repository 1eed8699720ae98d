"""The submission check survives abuse: it reveals the form only, keeps serving, and leaves nothing behind."""

import functools
import tempfile
from pathlib import Path

from mlebench.gateway.check import gateway
from mlebench.gateway.check.quota import CheckLimits
from mlebench.sandbox.ending import Reason


def uploads():
    return set(Path(tempfile.gettempdir()).glob("mlebench-*.csv"))


def test_abusing_the_check_gains_nothing(attack, isolating, host, monkeypatch):
    monkeypatch.setattr(gateway, "CheckLimits", functools.partial(CheckLimits, checks=500))
    monkeypatch.setattr(tempfile, "tempdir", str(host.folder))  # other tests upload too
    done = attack.once(isolating, "check_abuse", seconds=600)
    assert done.run.ending.reason is Reason.FINISHED, done.log
    assert done.gained == {}
    assert done.untried == {}
    assert "checks" in done.limits_met()
    checks = [event for event in done.events if event["kind"] == "check"]
    assert 100 < len(checks) <= 500
    assert not [event for event in checks if event["status"] == 500], "the check itself failed"
    assert not uploads()
    assert host.is_unharmed()
