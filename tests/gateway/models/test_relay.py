"""Responses on their way to the client."""

from __future__ import annotations

from mlebench.gateway.scripted import Reply


def test_streams_arrive_while_they_are_generated(rig):
    """The first words are there while the last ones are not even made."""
    server, run = rig([Reply("x" * 80, pause=0.2)])
    stream = iter(run.chat(stream=True))
    next(stream)
    next(stream)
    assert server.reported.output == 0
    assert run.model_server.usage().total.requests == 0
    list(stream)
    assert server.reported.output == 20
