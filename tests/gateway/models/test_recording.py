"""Record and replay."""

from __future__ import annotations

import json

import openai
import pytest

from mlebench.errors import UsageError
from mlebench.gateway.models import RecordedResponse
from mlebench.gateway.scripted import Reply, ToolCall

REPLIES = [
    Reply("first", tool_calls=(ToolCall("add", {"a": "é"}),)),
    Reply("second"),
    Reply("third ✓ in pieces that are longer"),
    Reply("fourth"),
    Reply("bad", status=400),
]


def ask(run):
    """A few calls by raw HTTP; returns the bytes that came back."""
    answers = []
    for path, body in (
        ("/v1/chat/completions", {"model": "gpt", "messages": [{"role": "user", "content": "a"}], "user": "x"}),
        ("/v1/chat/completions", {"messages": [{"content": "a", "role": "user"}], "model": "gateway/gpt"}),
        ("/v1/chat/completions", {"model": "gpt", "messages": [{"role": "user", "content": "a"}], "stream": True}),
        ("/v1/messages", {"model": "claude", "messages": [{"role": "user", "content": "a"}], "stream": True}),
        ("/v1/responses", {"model": "gpt", "input": "a"}),
    ):
        data = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(data)}\r\n\r\n"
        answer = run.raw(head.encode() + data)
        answers.append(b"\r\n".join(line for line in answer.split(b"\r\n") if not line.lower().startswith(b"date")))
    return answers


@pytest.fixture
def recorded(rig, tmp_path):
    """Path, answers and spending of a run that was recorded."""
    path = tmp_path / "recording.jsonl"
    server = rig.serve(REPLIES)
    run = rig.open(rig.gateway(rig.config(server), mode="record", recording=path))
    answers = ask(run)
    return path, answers, run.model_server.usage(), server


def test_a_replay_is_byte_identical(rig, recorded):
    path, answers, spent, server = recorded
    lines = [RecordedResponse.model_validate_json(line) for line in path.read_text().splitlines()]
    assert [(line.ordinal, line.status) for line in lines] == [(0, 200), (1, 200), (0, 200), (0, 200), (0, 400)]
    assert lines[0].key == lines[1].key != lines[2].key
    assert len(lines[2].chunks) > 3
    for _ in range(2):
        run = rig.open(rig.gateway(rig.config(server), mode="replay", recording=path))
        assert ask(run) == answers
        assert run.model_server.usage() == spent
        assert {call.source for call in run.calls()} == {"recording"}
    assert len(server.requests) == len(REPLIES)


def test_a_replay_needs_no_key(recorded, rig):
    from mlebench.gateway.models import ModelGateway

    path, _, _, server = recorded
    with ModelGateway(rig.config(server), mode="replay", recording=path, environment={}):
        pass


def test_requests_that_are_not_recorded_are_refused(rig, recorded):
    path, _, _, server = recorded
    gateway = rig.gateway(rig.config(server), mode="replay", recording=path)
    run = rig.open(gateway)
    with pytest.raises(openai.NotFoundError, match="recording has no further response") as caught:
        run.chat("something else")
    assert caught.value.code == "not_recorded"
    for _ in range(2):
        run.chat("a")
    with pytest.raises(openai.NotFoundError, match="no further response"):
        run.chat("a")
    with pytest.raises(openai.NotFoundError, match="recording has no further response"):
        rig.open(gateway, "another run").chat("a")


def test_continue_records_after_the_end_of_the_recording(rig, recorded):
    path, answers, _, _ = recorded
    with path.open("a") as file:
        file.write('{"format_version":1,"run":"ru')  # a harness that was killed
    server = rig.serve([Reply("better"), Reply("new")])
    run = rig.open(rig.gateway(rig.config(server), mode="continue", recording=path))
    again = ask(run)
    assert again[:4] == answers[:4]
    assert b"better" in again[4]  # errors are not repeated
    assert run.chat("a third time").choices[0].message.content == "new"
    assert [call.source for call in run.calls()] == ["recording"] * 4 + ["live"] * 2
    assert len(server.requests) == 2
    run = rig.open(rig.gateway(rig.config(server), mode="replay", recording=path))
    assert ask(run) == again
    assert run.chat("a third time").choices[0].message.content == "new"


def test_the_last_recording_of_a_run_counts(rig, recorded):
    path, answers, _, _ = recorded
    server = rig.serve([Reply(f"again {number}") for number in range(5)])
    run = rig.open(rig.gateway(rig.config(server), mode="record", recording=path))
    again = ask(run)
    assert again != answers
    run = rig.open(rig.gateway(rig.config(server), mode="replay", recording=path))
    assert ask(run) == again


def test_a_broken_stream_is_replayed_broken(rig, tmp_path):
    server = rig.serve([Reply("x" * 80, cut_after=4)])
    path = tmp_path / "r"
    for mode in ("record", "replay"):
        run = rig.open(rig.gateway(rig.config(server), mode=mode, recording=path))
        with pytest.raises(Exception, match=r"peer closed|incomplete|ended|Connection"):
            list(run.chat(stream=True))
    assert len(server.requests) == 1


def test_modes_and_recordings_that_do_not_fit_are_refused(rig, tmp_path):
    server = rig.serve([])
    with pytest.raises(UsageError, match="no recording"):
        rig.gateway(rig.config(server), mode="replay", recording=tmp_path / "none")
    with pytest.raises(UsageError, match="needs a recording"):
        rig.gateway(rig.config(server), mode="record")
    with pytest.raises(UsageError, match="takes no recording"):
        rig.gateway(rig.config(server), recording=tmp_path / "x")
    (tmp_path / "odd").write_text('{"a": 1}\n')
    with pytest.raises(UsageError, match="Line 1 of the recording"):
        rig.gateway(rig.config(server), mode="replay", recording=tmp_path / "odd")
