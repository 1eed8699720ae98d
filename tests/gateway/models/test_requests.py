"""How requests are parsed and changed on their way to an upstream."""

from __future__ import annotations

import anthropic
import openai
import pytest

from mlebench.gateway.models import Budget
from mlebench.gateway.scripted import Reply

from .raw_http import post, status_of


def test_models_that_are_not_available_are_refused(rig):
    server, run = rig([Reply("Hello.")])
    with pytest.raises(openai.NotFoundError, match=r"'o9' is not available\. Available models: claude, gpt") as caught:
        run.chat(model="o9")
    assert caught.value.code == "model_not_found"
    with pytest.raises(anthropic.NotFoundError, match="'o9' is not available") as caught:
        run.message(model="o9")
    assert caught.value.body["error"]["type"] == "not_found_error"
    with pytest.raises(openai.NotFoundError, match="Anthropic protocol only"):
        run.chat(model="claude")
    assert not server.requests
    assert [call.outcome for call in run.calls()] == ["refused"] * 3
    assert run.model_server.usage().refused == 3
    assert run.model_server.usage().total.requests == 0


def test_parameters_of_the_configuration_replace_those_of_the_agent(rig):
    models = {"gpt": {"upstream": "one", "parameters": {"temperature": 0.5, "max_tokens": 7, "seed": None}}}
    server, run = rig([Reply("1"), Reply("2")], models=models, default_upstream="one")
    run.chat(temperature=1.5, seed=3)
    assert server.requests[0].body["temperature"] == 0.5
    assert server.requests[0].body["max_tokens"] == 7
    assert "seed" not in server.requests[0].body
    run.chat(model="whatever")
    assert server.requests[1].body["model"] == "whatever"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"gpt"',
        b"\xff\xfe",
        b'{"model": 5}',
        b'{"model": ""}',
        b'{"model": "\\ud800"}',
        b'{"model": "gpt", "stream": 1}',
        b"{}",
        b'{"model": "gpt", "x": NaN}',
        b'{"model": "gpt", "messages": [], "temperature": 1e999}',
        b'{"model": "gpt", "x": ' + b"9" * 5000 + b"}",
        b'{"model": "gpt", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"model": "gpt", "x": [' + b"[]," * 1_100_000 + b"[]]}",
        b'{"model": "gpt", "background": true, "input": "x"}',
    ],
    ids=range(16),
)
def test_invalid_bodies_are_refused(rig, body):
    server, run = rig(["fine"])
    response = run.raw(post(body=body))
    assert status_of(response) == 400
    assert not server.requests
    assert run.chat()


def test_the_upstream_reads_what_was_judged(rig):
    """Of two fields with one name, the last is judged, and it alone is sent."""
    server, run = rig([Reply("1")])
    fine, hosted = b'"tools": []', b'"tools": [{"type": "web_search"}]'
    for names in (b"%b, %b" % (fine, hosted), b'"\\u0074ools": [], %b' % hosted):
        assert status_of(run.raw(post(body=b'{"model": "gpt", "messages": [], %b}' % names))) == 403
    body = b'{"model": "gpt", "messages": [], %b, %b}' % (hosted, fine)
    assert status_of(run.raw(post(body=body))) == 200
    (asked,) = server.requests
    assert asked.raw.count(b"tools") == 1
    assert asked.body["tools"] == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_bodies_in_other_encodings_are_judged_too(rig, encoding):
    server, run = rig([Reply("1")])
    body = '{"model": "gpt", "messages": [], "web_search_options": {}}'.encode(encoding)
    assert status_of(run.raw(post(body=body))) in (400, 403)
    assert not server.requests


def test_names_of_unlisted_models_that_search_the_web_are_refused(rig):
    server, run = rig([Reply("1"), Reply("2")], default_upstream="one")
    with pytest.raises(openai.PermissionDeniedError, match="without ':online'"):
        run.chat(model="gateway/other:online")
    run.chat(model="other:8b")
    assert len(server.requests) == 1


def test_unusual_text_passes(rig):
    """Half a character, which JSON may hold and UTF-8 may not; two fields of one name, of which the last counts."""
    server, run = rig([Reply("1"), Reply("2")])
    body = b'{"model": "other", "model": "gpt", "messages": [{"role": "user", "content": "\\ud800 \\u0000 \xc3\xa9"}]}'
    assert status_of(run.raw(post(body=body))) == 200
    assert server.requests[0].body["model"] == "gpt-upstream"
    assert server.requests[0].text == "\ud800 \0 é"
    assert run.calls()[0].request.text


def test_an_impossible_limit_on_output_tokens_is_no_failure(rig):
    _, run = rig([Reply("1")], budget=Budget(money=100))
    answer = run.raw(post(body=b'{"model": "gpt", "messages": [], "max_tokens": 1' + b"0" * 400 + b"}"))
    assert status_of(answer) == 200
