"""Which protocol a request uses, and the list of models."""

from __future__ import annotations

import json

import pytest

from mlebench.gateway.models.routes import model_list, protocol_of


@pytest.mark.parametrize(
    ("path", "headers", "protocol"),
    [
        ("/v1/responses", {}, "openai"),
        ("/v1/responses", {"anthropic-version": "2023-06-01"}, "openai"),
        ("/v1/messages", {}, "anthropic"),
        ("/v1/messages/batches", {}, "anthropic"),
        ("/v1/models", {}, "openai"),
        ("/v1/models", {"anthropic-version": "2023-06-01"}, "anthropic"),
        ("/anything", {}, "openai"),
    ],
)
def test_the_path_decides_the_protocol_and_headers_where_it_does_not(path, headers, protocol):
    assert protocol_of(path, headers) == protocol


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_models_are_listed_by_name(protocol):
    assert [entry["id"] for entry in json.loads(model_list(protocol, ["b", "a"]))["data"]] == ["a", "b"]


def test_an_empty_list_of_models_has_no_first_and_last_id():
    page = json.loads(model_list("anthropic", []))
    assert (page["data"], page["first_id"], page["last_id"]) == ([], None, None)
