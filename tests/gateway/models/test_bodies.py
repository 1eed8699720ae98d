"""Bodies in the log of calls."""

from __future__ import annotations

from mlebench.gateway.scripted import Reply


def test_bodies_in_the_log_are_bounded(rig):
    _, run = rig([Reply("x" * 5000)], logged_bytes=1000)
    run.chat("y" * 5000)
    (call,) = run.calls()
    assert call.request.truncated
    assert call.response.truncated
    assert call.request.bytes > 5000
    assert len(call.request.text) == 1000
    assert call.usage.output == 1250
