"""Shapes of single values."""

from __future__ import annotations

import pytest

from mlebench.gateway.models.leaf_shapes import Attachment, Choice, Count, Free, Name, TokenId
from mlebench.gateway.models.shapes import Contents, ListOf

from .test_shapes import refusal

NOT_SUPPORTED, NOT_ALLOWED = (400, "f"), (403, "f")


@pytest.mark.parametrize(
    ("shape", "value", "expected"),
    [
        (Count(), 0, None),
        (Count(), -1, NOT_SUPPORTED),
        (Count(), 1.0, NOT_SUPPORTED),
        (Count(), True, NOT_SUPPORTED),
        (Name(), "get_weather-2", None),
        (Name(), "$web_search", NOT_SUPPORTED),
        (Name(), "", NOT_SUPPORTED),
        (Name(), "a\n", NOT_SUPPORTED),
        (Choice("auto", "default"), "auto", None),
        (Choice("auto", "default"), "AUTO", NOT_ALLOWED),
        (Choice("auto", "default"), True, NOT_SUPPORTED),
        (Choice(False), False, None),
        (Choice(False), 0, NOT_SUPPORTED),
        (Choice(False), True, NOT_ALLOWED),
        (Attachment(), "data:image/png;base64,AAAA", None),
        (Attachment(), "AAAA", NOT_ALLOWED),
        (Attachment(base64=True), "AA+/_-==\n", None),
        (Attachment(base64=True), "https://a", NOT_ALLOWED),
        (Attachment(base64=True), "//a.b", NOT_ALLOWED),
        (Attachment(base64=True), "DATA:image/png;base64,AAAA", NOT_ALLOWED),
        (Free(), {"$ref": "http://a", "b": [None, 1e9, {"": True}]}, None),
        (Free(), [{"a": {"__proto__": 1}}], NOT_SUPPORTED),
        (Free(is_schema=True), {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#"}}}, None),
        (Free(is_schema=True), {"properties": {"$ref": {"type": "string"}}}, None),
        (Free(is_schema=True), {"anyOf": [{"$dynamicRef": "http://a"}]}, NOT_ALLOWED),
        (Free(is_schema=True), {"$ref": "other.json#/a"}, NOT_ALLOWED),
    ],
)
def test_values_are_judged(shape, value, expected):
    assert refusal(shape, value) == expected


def test_attachments_and_token_numbers_are_counted():
    contents = Contents()
    Attachment().check("data:abc", "f", contents)
    TokenId().check(5, "f", contents)
    ListOf(TokenId()).check([1, 2, 3], "f", contents)
    assert (contents.attachments, contents.token_ids) == ([8], 4)
    for wrong in ([1, -2], [1, True], [1, 2.5], [1, "2"], [None]):
        assert refusal(ListOf(TokenId()), wrong) == NOT_SUPPORTED
