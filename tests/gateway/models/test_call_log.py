"""The log of calls."""

from __future__ import annotations

import json

from .raw_http import post


def test_floods_of_refused_requests_do_not_fill_the_disk(rig, monkeypatch):
    from mlebench.gateway.models import call_log

    monkeypatch.setattr(call_log, "MAX_FREE_CALLS", 5)
    monkeypatch.setattr(call_log, "MAX_FREE_CALLS_WITH_BODIES", 2)
    _, run = rig([])
    for _ in range(20):
        run.raw(post(body=json.dumps({"model": "none", "messages": ["x" * 10_000]}).encode()))
    assert len(run.calls()) == len(run.events) == 5
    assert run.model_server.usage().refused == 20
    assert [call.request.truncated for call in run.calls()] == [False, False, True, True, True]
    assert all(len(call.request.text) == 4096 for call in run.calls()[2:])
