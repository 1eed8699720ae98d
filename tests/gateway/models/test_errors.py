"""Errors that the gateway answers have the form of each API, and tell clients whether to try again."""

from __future__ import annotations

import json

import pytest

from mlebench.gateway.models.errors import BUDGET_EXCEEDED, GatewayError


@pytest.mark.parametrize(
    ("status", "code", "kind", "openai_code"),
    [
        (404, None, "not_found_error", "not_found_error"),
        (404, "model_not_found", "not_found_error", "model_not_found"),
        (429, BUDGET_EXCEEDED, BUDGET_EXCEEDED, BUDGET_EXCEEDED),
        (502, None, "api_error", "api_error"),
        (418, None, "api_error", "api_error"),
    ],
)
def test_the_body_has_the_form_of_the_protocol(status, code, kind, openai_code):
    error = GatewayError(status, "No.", code=code)
    anthropic = json.loads(error.body("anthropic"))
    assert anthropic == {"type": "error", "error": {"type": kind, "message": "No."}}
    openai = json.loads(error.body("openai"))
    assert openai == {"error": {"message": "No.", "type": kind, "param": None, "code": openai_code}}


@pytest.mark.parametrize(
    ("status", "retry", "forbids"), [(400, False, True), (429, True, False), (499, False, True), (500, False, False)]
)
def test_clients_are_told_not_to_repeat_what_cannot_succeed(status, retry, forbids):
    headers = dict(GatewayError(status, "No.", retry=retry).headers())
    assert headers["content-type"] == "application/json"
    assert (headers.get("x-should-retry") == "false") is forbids
