"""Responses and failures of upstreams."""

from __future__ import annotations

import anthropic
import openai
import pytest

from mlebench.gateway.scripted import Reply

from .conftest import KEY
from .raw_http import BODY, CHAT, status_of


def test_errors_reach_the_agent(rig):
    server, run = rig([Reply("Bad.", status=400), Reply("Where?", status=404), *[Reply("Busy.", status=529)] * 3])
    with pytest.raises(openai.BadRequestError, match="Bad"):
        run.chat()
    with pytest.raises(openai.NotFoundError, match="Where"):
        run.chat()
    with pytest.raises(anthropic.InternalServerError, match="Busy"):
        run.message()
    assert len(server.requests) == 5
    spent = run.model_server.usage().total
    assert (spent.requests, spent.tokens.total, spent.cost) == (3, 0, 0)
    assert [call.status for call in run.calls()] == [400, 404, 529]


def test_the_response_to_a_refused_key_is_replaced(rig):
    """Providers quote a part of the key that they refuse."""
    _, run = rig([Reply(f"Incorrect API key provided: {KEY[:6]}***{KEY[-4:]}.", status=401)])
    with pytest.raises(openai.AuthenticationError, match="gateway's own key") as caught:
        run.chat()
    assert KEY[-4:] not in str(caught.value)
    assert KEY[-4:] not in run.log.read_text()


def test_a_quoted_key_is_removed(rig):
    _, run = rig([Reply(f"You sent Bearer {KEY}", status=403), Reply(KEY)])
    with pytest.raises(openai.PermissionDeniedError, match=r"Bearer \[key\]"):
        run.chat()
    assert run.chat().choices[0].message.content == "[key]"
    assert KEY not in run.log.read_text()


def test_malformed_responses_reach_the_agent(rig):
    _, run = rig([Reply(malformed=True)])
    with pytest.raises(Exception, match=r"Expecting|JSON|json"):
        run.chat()
    (call,) = run.calls()
    assert call.response.text == '{"choices": [{'
    assert call.usage.estimated


def test_an_upstream_that_cannot_be_reached_is_an_error(rig):
    server = rig.serve([])
    config = rig.config(server, upstream={"base_url": "http://127.0.0.1:9/v1", "retries": 0})
    run = rig.open(rig.gateway(config))
    with pytest.raises(openai.InternalServerError, match="cannot be reached") as caught:
        run.chat()
    assert caught.value.status_code == 502
    with pytest.raises(anthropic.InternalServerError, match="cannot be reached"):
        run.message()
    assert [call.outcome for call in run.calls()] == ["failed", "failed"]


def test_a_response_that_does_not_begin_in_time_is_an_error(rig):
    _, run = rig([Reply("late", delay=3)], upstream={"timeout_seconds": 0.5})
    with pytest.raises(openai.InternalServerError, match="in time") as caught:
        run.chat()
    assert caught.value.status_code == 504


def test_redirects_are_not_followed(rig):
    server = rig.serve(lambda asked: Reply(status=307, headers={"Location": f"{server.url}/v1/elsewhere"}))
    run = rig.open(rig.gateway(rig.config(server)))
    with pytest.raises(openai.InternalServerError, match="307"):
        run.chat()
    assert len(server.requests) == 1


def test_the_agent_s_headers_are_not_forwarded(rig):
    server, run = rig([Reply("1")])
    sent = {
        "Host": "evil.example",
        "Authorization": "Bearer of-the-agent",
        "X-Api-Key": "of-the-agent",
        "OpenAI-Organization": "other",
        "OpenAI-Project": "other",
        "Cookie": "a=b",
        "X-Forwarded-For": "1.2.3.4",
        "Proxy-Authorization": "x",
        "Connection": "close, authorization",
        "Upgrade": "websocket",
        "Accept-Encoding": "br",
        "OpenAI-Beta": "responses=experimental",
        "Anthropic-Beta": "\xe9",
    }
    headers = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    data = f"POST {CHAT}?x=y HTTP/1.1\r\n{headers}Content-Length: {len(BODY)}\r\n\r\n".encode() + BODY
    assert status_of(run.raw(data)) == 200
    (asked,) = server.requests
    assert asked.headers["host"] == server.url.removeprefix("http://")
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["openai-beta"] == "responses=experimental"
    assert asked.headers["accept-encoding"] == "identity"
    assert not {"cookie", "x-api-key", "openai-organization", "openai-project", "x-forwarded-for", "upgrade"} & set(
        asked.headers
    )
    assert asked.path == CHAT


def test_the_key_is_in_no_log_or_file(rig, tmp_path, caplog):
    server = rig.serve([Reply("1"), Reply("2"), Reply(status=500), Reply(status=500), Reply(status=500)])
    recording = tmp_path / "recording"
    with caplog.at_level("DEBUG"):
        run = rig.open(rig.gateway(rig.config(server), mode="record", recording=recording))
        run.chat()
        list(run.chat(stream=True))
        with pytest.raises(openai.InternalServerError):
            run.chat()
    assert KEY in str([asked.headers for asked in server.requests])
    for text in (run.log.read_text(), recording.read_text(), str(run.events), caplog.text, repr(run.model_server)):
        assert KEY not in text
