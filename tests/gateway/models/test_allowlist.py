"""Only listed fields reach an upstream: by a table of attacks, and by random fields at every place of real requests."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlebench.gateway.models.allowlist import FIELDS
from mlebench.gateway.models.anthropic_fields import BETA_VERSIONS, MESSAGES_BLOCKS, MESSAGES_TOOLS
from mlebench.gateway.models.config import ModelsConfig
from mlebench.gateway.models.connection import Request
from mlebench.gateway.models.errors import GatewayError
from mlebench.gateway.models.openai_fields import CHAT_PARTS, CHAT_TOOLS
from mlebench.gateway.models.requests import prepare_request
from mlebench.gateway.models.responses_fields import RESPONSES_ITEMS, RESPONSES_PARTS, RESPONSES_TOOLS
from mlebench.gateway.models.routes import ROUTES
from mlebench.gateway.scripted import Reply

from .client_requests import REQUESTS
from .raw_http import CHAT, post, status_of

RESPONSES, COMPLETIONS, EMBEDDINGS = "/v1/responses", "/v1/completions", "/v1/embeddings"
MESSAGES, COUNT_TOKENS = "/v1/messages", "/v1/messages/count_tokens"
OPENAI = (CHAT, RESPONSES, COMPLETIONS, EMBEDDINGS)


def config(hosted_tools=False, **upstream):
    return ModelsConfig.model_validate(
        {
            "upstreams": {
                "one": {"protocol": "openai", "base_url": "http://a/v1", **upstream},
                "two": {"protocol": "anthropic", "base_url": "http://a", **upstream},
            },
            "models": {"gpt": {"upstream": "one"}, "claude": {"upstream": "two"}},
            "hosted_tools": hosted_tools,
        }
    )


def prepare(path, document, options=None, headers=None, query=""):
    model = {"model": "claude" if path in (MESSAGES, COUNT_TOKENS) else "gpt"}
    body = json.dumps(model | document).encode()
    request = Request("POST", path, query, headers or {})
    return prepare_request(body, request, ROUTES[path], options or config())


def sent(path, document, options=None):
    """Return the body that the upstream gets."""
    return json.loads(prepare(path, document, options).body)


@pytest.mark.parametrize(("path", "document"), REQUESTS, ids=[f"{path}-{i}" for i, (path, _) in enumerate(REQUESTS)])
def test_requests_of_common_clients_pass_unchanged(path, document):
    assert sent(path, document) == document


def chat(*content, **message):
    return {"messages": [{"role": "user", "content": list(content), **message}]}


def item(**fields):
    return {"input": [fields]}


def content(**fields):
    return item(role="user", content=[fields])


def block(**fields):
    return {"messages": [{"role": "user", "content": [fields]}]}


def picture(url):
    return {"type": "image_url", "image_url": {"url": url}}


REFUSED = [
    # hosted tools
    *((path, {"web_search_options": {}}, "web_search_options") for path in OPENAI),
    (CHAT, {"Web_Search_Options": {}}, "Web_Search_Options"),
    (CHAT, {"web\u200b_search_options": {}}, "web\u200b_search_options"),
    *((path, {"search_parameters": {"mode": "on"}}, "search_parameters") for path in (CHAT, RESPONSES, COMPLETIONS)),
    (CHAT, {"enable_search": True}, "enable_search"),
    (CHAT, {"extra_body": {"enable_search": True}}, "extra_body"),
    *((path, {"plugins": [{"id": "web"}]}, "plugins") for path in (CHAT, MESSAGES)),
    *((path, {"tools": [{"googleSearch": {}}]}, "tools.googleSearch") for path in (CHAT, RESPONSES, MESSAGES)),
    *((path, {"tools": [{"type": None, "url": {}}]}, "tools.url") for path in (CHAT, RESPONSES, MESSAGES)),
    (CHAT, {"tools": [{"type": "function", "function": {"name": "f"}, "googleSearch": {}}]}, "tools.googleSearch"),
    (CHAT, {"tools": [{"type": "web_search"}]}, "tools.web_search"),
    (CHAT, {"tools": [{"type": "builtin_function", "function": {"name": "$web_search"}}]}, "tools.builtin_function"),
    (CHAT, {"tools": [{"type": "function", "function": {"name": "$web_search"}}]}, "tools.function.name"),
    (CHAT, {"tools": [{"type": "Function", "function": {"name": "f"}}]}, "tools.Function"),
    (CHAT, {"tools": {"type": "web_search"}}, "tools"),
    (CHAT, {"tools": ["web_search"]}, "tools"),
    (RESPONSES, {"tools": [{"type": "web_search_preview"}]}, "tools.web_search_preview"),
    (RESPONSES, {"tools": [{"type": "file_search", "vector_store_ids": ["a"]}]}, "tools.file_search"),
    (RESPONSES, {"tools": [{"type": "code_interpreter", "container": {"type": "auto"}}]}, "tools.code_interpreter"),
    (RESPONSES, {"tools": [{"type": "image_generation"}]}, "tools.image_generation"),
    (RESPONSES, {"tools": [{"type": "mcp", "server_url": "https://a"}]}, "tools.mcp"),
    (RESPONSES, {"tools": [{"type": "shell"}]}, "tools"),
    (RESPONSES, {"tools": [{"type": "shell", "environment": {"type": "container_auto"}}]}, "tools.environment.type"),
    (RESPONSES, {"tools": [{"type": "namespace", "tools": [{"type": "mcp"}]}]}, "tools.tools.mcp"),
    (RESPONSES, {"tool_choice": {"type": "web_search_preview"}}, "tool_choice.web_search_preview"),
    (RESPONSES, {"include": ["web_search_call.action.sources"]}, "include"),
    (RESPONSES, item(type="mcp_approval_response", approve=True), "input.mcp_approval_response"),
    (RESPONSES, item(type="additional_tools", tools=[{"type": "mcp"}]), "input.additional_tools"),
    *((MESSAGES, {"tools": [{"type": f"{kind}_20250305", "name": kind}]}, f"tools.{kind}_20250305") for kind in
      ("web_search", "web_fetch", "code_execution", "tool_search_tool_bm25", "bash", "advisor")),
    (MESSAGES, {"tools": [{"type": "mcp_toolset", "mcp_server_name": "a"}]}, "tools.mcp_toolset"),
    (
        MESSAGES,
        {"tools": [{"name": "f", "input_schema": {}, "allowed_callers": ["code_execution_20250825"]}]},
        "tools.allowed_callers",
    ),
    (MESSAGES, {"mcp_servers": [{"type": "url", "url": "https://a"}]}, "mcp_servers"),
    (MESSAGES, {"container": {"skills": [{"type": "anthropic", "skill_id": "pdf"}]}}, "container"),
    (MESSAGES, {"context_management": {"edits": []}}, "context_management"),
    (MESSAGES, {"betas": ["mcp-client-2025-04-04"]}, "betas"),
    (MESSAGES, block(type="container_upload", file_id="a"), "messages.content.container_upload"),
    (MESSAGES, block(type="server_tool_use", id="a", name="web_search", input={}), "messages.content.server_tool_use"),
    # addresses and stored files
    (CHAT, chat(picture("http://a/b")), "messages.content.image_url.url"),
    (CHAT, chat(picture(" data:image/png;base64,AA")), "messages.content.image_url.url"),
    (CHAT, chat({"type": "image_url", "image_url": "//a"}), "messages.content.image_url"),
    (CHAT, chat({"type": "video_url", "video_url": {"url": "file:///a"}}), "messages.content.video_url.url"),
    (CHAT, chat({"type": "file", "file": {"file_id": "a"}}), "messages.content.file.file_id"),
    (CHAT, chat({"type": "file", "file": {"file_data": "https://a/b.pdf"}}), "messages.content.file.file_data"),
    (CHAT, chat({"type": "image_file", "image_file": {"file_id": "a"}}), "messages.content.image_file"),
    (CHAT, chat(role="cache"), "messages.role"),
    (CHAT, chat(audio={"id": "a"}), "messages.audio"),
    (RESPONSES, content(type="input_file", file_url="HTTPS://a"), "input.content.file_url"),
    (RESPONSES, content(type="input_file", file_id="a"), "input.content.file_id"),
    (RESPONSES, content(type="input_image", image_url="//a"), "input.content.image_url"),
    (RESPONSES, content(type="input_image", file_id="a"), "input.content.file_id"),
    (
        RESPONSES,
        item(type="function_call_output", call_id="a", output=[{"type": "input_image", "image_url": "http://a"}]),
        "input.output.image_url",
    ),
    (
        RESPONSES,
        item(type="computer_call_output", output={"type": "computer_screenshot", "file_id": "a"}),
        "input.output.file_id",
    ),
    (MESSAGES, block(type="image", source={"type": "url", "url": "https://a"}), "messages.content.source.url"),
    (MESSAGES, block(type="document", source={"type": "file", "file_id": "a"}), "messages.content.source.file"),
    (
        MESSAGES,
        block(type="tool_result", content=[{"type": "image", "source": {"type": "url", "url": "//a"}}]),
        "messages.content.content.source.url",
    ),
    (
        MESSAGES,
        block(
            type="document",
            source={"type": "content", "content": [{"type": "image", "source": {"type": "file", "file_id": "a"}}]},
        ),
        "messages.content.source.content.source.file",
    ),
    (CHAT, {"response_format": {"type": "json_schema", "json_schema": {"schema": {"$ref": "http://a"}}}},
     "response_format.json_schema.schema"),
    (CHAT, {"tools": [{"type": "function", "function": {"name": "f", "parameters": {"a": [{"$ref": "b.json"}]}}}]},
     "tools.function.parameters"),
    # stored state
    (RESPONSES, {"previous_response_id": "a"}, "previous_response_id"),
    (RESPONSES, {"conversation": "a"}, "conversation"),
    (RESPONSES, {"prompt": {"id": "a"}}, "prompt"),
    (RESPONSES, item(type="item_reference", id="a"), "input.item_reference"),
    (RESPONSES, item(id="a"), "input"),
    (RESPONSES, item(id="a", type=None), "input"),
    *((path, {"store": True}, "store") for path in (CHAT, RESPONSES)),
    *((path, {"store": 1}, "store") for path in (CHAT, RESPONSES)),
    # other models and prices
    *((path, {name: ["a"]}, name) for path in (*OPENAI, MESSAGES) for name in ("models", "fallbacks", "route")),
    *((path, {"provider": {"order": ["a"]}}, "provider") for path in (CHAT, RESPONSES)),
    *((path, {"service_tier": tier}, "service_tier") for path in (CHAT, RESPONSES, MESSAGES) for tier in
      ("priority", "flex", ["auto"])),
    (MESSAGES, {"speed": "fast"}, "speed"),
    (MESSAGES, {"inference_geo": "us"}, "inference_geo"),
    (MESSAGES, {"cache_control": {"type": "ephemeral", "ttl": "1h"}}, "cache_control.ttl"),
    (RESPONSES, {"reasoning": {"mode": "pro"}}, "reasoning.mode"),
    (CHAT, {"modalities": ["text", "audio"]}, "modalities"),
    (CHAT, {"audio": {"voice": "a", "format": "wav"}}, "audio"),
    (CHAT, {"prediction": {"type": "content", "content": "a"}}, "prediction"),
    # what the gateway controls or counts
    (CHAT, {"stream_options": {"continuous_usage_stats": True}}, "stream_options.continuous_usage_stats"),
    *((path, {name: value}, name) for path, name in
      ((CHAT, "max_tokens"), (CHAT, "n"), (COMPLETIONS, "best_of"), (RESPONSES, "max_output_tokens"),
       (MESSAGES, "max_tokens")) for value in ("9", -1, 1.5, True, [9])),
    # objects where there should be none
    (CHAT, {"temperature": {"googleSearch": {}}}, "temperature"),
    (CHAT, {"metadata": {"tags": ["a"]}}, "metadata.tags"),
    (CHAT, {"metadata": {"__proto__": "a"}}, "metadata"),
    (CHAT, {"__proto__": {"enable_search": True}}, "__proto__"),
    (CHAT, {"constructor": {"prototype": {}}}, "constructor"),
    (CHAT, {"guided_json": {"a": {"__proto__": {}}}}, "guided_json"),
    (CHAT, {"chat_template": "{{ a }}"}, "chat_template"),
    (CHAT, {"chat_template_kwargs": {"a": {}}}, "chat_template_kwargs.a"),
    (CHAT, {"kv_transfer_params": {"remote_host": "a"}}, "kv_transfer_params"),
    (CHAT, {"model.upstream": "a"}, "model.upstream"),
    (CHAT, {"": "a"}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("path", "document", "name"), REFUSED, ids=range(len(REFUSED)))
def test_other_fields_and_values_are_refused_by_name(path, document, name):
    with pytest.raises(GatewayError) as caught:
        sent(path, document)
    assert caught.value.param == name
    assert caught.value.status in (400, 403)
    assert repr(name) in caught.value.message
    if caught.value.status == 403:
        assert "allowed_fields" in caught.value.message
        if name and name.isascii():
            assert sent(path, document, config(allowed_fields=[name]))


HEADERS = [
    (MESSAGES, "anthropic-beta", "files-api-2025-04-14", False),
    (MESSAGES, "anthropic-beta", "interleaved-thinking-2025-05-14, mcp-client-2025-11-20", False),
    (MESSAGES, "anthropic-beta", "context-1m-2025-08-07", False),
    (MESSAGES, "anthropic-beta", "\xe9", False),
    (MESSAGES, "anthropic-beta", ",".join(BETA_VERSIONS), True),
    (COUNT_TOKENS, "anthropic-beta", " token-counting-2024-11-01 ,", True),
    (CHAT, "openai-beta", "assistants=v2", False),
    (RESPONSES, "openai-beta", "responses=experimental", True),
]


@pytest.mark.parametrize(("path", "name", "value", "passes"), HEADERS)
def test_beta_versions_are_listed_too(path, name, value, passes):
    document = {"messages": []} if path != RESPONSES else {"input": "a"}
    if passes:
        kept = prepare(path, document, headers={name: value}).headers[name]
        assert kept == ",".join(part.strip() for part in value.split(",") if part.strip())
        return
    with pytest.raises(GatewayError, match="allowed_fields") as caught:
        prepare(path, document, headers={name: value})
    allowed = config(allowed_fields=[caught.value.param]) if value.isascii() else None
    assert allowed is None or prepare(path, document, allowed, headers={name: value}).headers[name]


def test_queries_and_headers_of_one_api_do_not_reach_the_other():
    headers = {"anthropic-beta": "files-api-2025-04-14", "openai-beta": "assistants=v2", "anthropic-version": "x"}
    request = prepare(CHAT, {"messages": []}, headers={"anthropic-beta": headers["anthropic-beta"]}, query="beta=true")
    assert (request.headers, request.query) == ({}, "")
    del headers["anthropic-beta"]
    request = prepare(MESSAGES, {"messages": []}, headers=headers, query="beta=true")
    assert (request.headers, request.query) == ({"anthropic-version": "2023-06-01"}, "?beta=true")
    assert prepare(MESSAGES, {"messages": []}, query="beta=true&a=b").query == ""


@pytest.mark.parametrize(
    ("path", "document"),
    [
        (CHAT, {"web_search_options": {}, "tools": [{"type": "web_search"}, {"googleSearch": {}}]}),
        (CHAT, chat(picture("http://a/b"))),
        (RESPONSES, {"tools": [{"type": "mcp", "server_url": "https://a"}], "include": ["web_search_call.results"]}),
        (RESPONSES, content(type="input_file", file_id="a")),
        (MESSAGES, {"tools": [{"type": "web_search_20250305"}], "mcp_servers": [], "container": "a"}),
        (MESSAGES, block(type="container_upload", file_id="a")),
    ],
)
def test_hosted_tools_can_be_allowed_together(path, document):
    allowed = config(hosted_tools=True)
    assert sent(path, document, allowed) == {"model": "claude" if path == MESSAGES else "gpt"} | document
    beta = {"anthropic-beta": "files-api-2025-04-14,code-execution-2025-08-25"}
    assert prepare(path, document, allowed, headers=beta)
    for name in ("models", "fallbacks", "service_tier", "previous_response_id"):
        with pytest.raises(GatewayError):
            sent(path, document | {name: "priority"}, allowed)


def test_what_the_models_file_sets_is_not_refused():
    options = config()
    entry = options.models["gpt"].model_copy(update={"parameters": {"service_tier": "flex", "plugins": None}})
    options = options.model_copy(update={"models": {"gpt": entry}})
    document = {"messages": [], "service_tier": "priority", "plugins": [{"id": "web"}]}
    assert sent(CHAT, document, options) == {"model": "gpt", "messages": [], "service_tier": "flex"}


def objects(value):
    """Yield every object in a request whose fields are listed."""
    if isinstance(value, list):
        for inner in value:
            yield from objects(inner)
    elif isinstance(value, dict):
        yield value
        for name, inner in value.items():
            if not (name in OWN_DATA and isinstance(inner, dict)):
                yield from objects(inner)


OWN_DATA = {
    *("parameters", "schema", "input_schema", "guided_json", "input", "action", "provider_specific_fields"),
    *("metadata", "logit_bias", "chat_template_kwargs"),
}
"""Fields whose objects may have any names."""


def names_in(shape, seen):
    """Return the names of all fields in a shape."""
    if id(shape) in seen:
        return set()
    seen.add(id(shape))
    fields = getattr(shape, "fields", {})
    inner = [*fields.values(), *getattr(shape, "types", {}).values(), *getattr(shape, "shapes", ())]
    inner += [part for part in (getattr(shape, "item", None), getattr(shape, "value", None)) if part is not None]
    return set(fields).union(*(names_in(part, seen) for part in inner))


KNOWN = {path: names_in(shape, set()) for path, shape in FIELDS.items()}
NAMES = sorted({name for _, _, name in REFUSED if "." not in name} - set().union(*KNOWN.values()))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)


@given(
    request=st.sampled_from(REQUESTS),
    place=st.integers(min_value=0),
    name=st.sampled_from(NAMES) | st.sampled_from(NAMES).map(str.upper) | st.text(),
    value=VALUES,
)
def test_no_unknown_field_reaches_an_upstream(request, place, name, value):
    path, original = request
    if name in KNOWN[path] or name in ("type", "background"):
        return
    document = copy.deepcopy(original)
    places = list(objects(document))
    places[place % len(places)][name] = value
    try:
        result = sent(path, document)
    except GatewayError as error:
        assert error.status in (400, 403)
        assert value is not None
    else:
        assert value is None
        assert result == original


@pytest.mark.parametrize("path", FIELDS)
def test_refusals_have_the_shape_of_the_api(rig, path):
    server, run = rig([Reply("1")])
    model = "claude" if path in (MESSAGES, COUNT_TOKENS) else "gpt"
    response = run.raw(post(path, json.dumps({"model": model, "fallbacks": ["a"]}).encode()))
    body = json.loads(response.partition(b"\r\n\r\n")[2])
    assert (status_of(response), body["error"]["type"]) == (403, "permission_error")
    assert "'fallbacks'" in body["error"]["message"]
    assert body.get("type") == ("error" if model == "claude" else None)
    assert not server.requests
    assert run.calls()[0].outcome == "refused"


def rows(title):
    """Return the rows of a table in the documentation: the first cell, and the names in the second."""
    text = (Path(__file__).parents[3] / "docs/models.md").read_text()
    lines = text.partition(f"| {title} |")[2].partition("\n\n")[0].splitlines()[2:]
    cells = [line.strip("| ").split(" | ") for line in lines]
    return {first.strip("` "): set(re.findall(r"`([^`]+)`", second)) for first, second in cells}


def test_the_documentation_lists_the_fields_of_each_route():
    assert rows("route") == {path: set(shape.fields) for path, shape in FIELDS.items()}


def test_the_documentation_lists_the_types_of_contents_and_tools():
    places = {
        "chat: parts of a message": CHAT_PARTS,
        "chat: tools": CHAT_TOOLS,
        "responses: items of the input": RESPONSES_ITEMS,
        "responses: parts of a message": RESPONSES_PARTS,
        "responses: tools": RESPONSES_TOOLS,
        "messages: blocks": MESSAGES_BLOCKS,
        "messages: tools": MESSAGES_TOOLS,
    }
    documented = rows("place")
    assert documented.pop("messages: versions") == set(BETA_VERSIONS)
    assert documented == {name: set(shape.types) for name, shape in places.items()}
