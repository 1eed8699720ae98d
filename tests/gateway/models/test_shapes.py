"""Shapes of JSON values."""

from __future__ import annotations

import pytest

from mlebench.gateway.models.errors import GatewayError
from mlebench.gateway.models.shapes import FLAG, NUMBER, TEXT, AnyOf, ByType, Contents, Fields, ListOf, MapOf, Shape

NUMBERS = ListOf(Shape(NUMBER))
OBJECT = Fields({"a": Shape(TEXT), "b": NUMBERS})
TAGGED = ByType({"one": Fields({"x": Shape(FLAG)}), "two": Fields({"y": OBJECT}, required=("y",))}, default="one")
STRICT = ByType({"one": Fields({})})


def refusal(shape, value, *allowed):
    """Return the status and the name of what is refused, or None."""
    try:
        shape.check(value, "f", Contents(frozenset(allowed)))
    except GatewayError as error:
        return error.status, error.param
    return None


@pytest.mark.parametrize(
    ("shape", "value", "expected"),
    [
        (Shape(NUMBER), 1.5, None),
        (Shape(NUMBER), True, (400, "f")),
        (Shape(FLAG), 1, (400, "f")),
        (Shape(TEXT), None, (400, "f")),
        (NUMBERS, [1, "2"], (400, "f")),
        (OBJECT, {"a": "x", "b": [1]}, None),
        (OBJECT, {"a": None, "c": None}, None),
        (OBJECT, {"A": "x"}, (403, "f.A")),
        (OBJECT, [], (400, "f")),
        (MapOf(Shape(TEXT)), {"any": "x", "other": None}, None),
        (MapOf(Shape(TEXT)), {"any": {}}, (400, "f.any")),
        (TAGGED, {"type": "one", "x": True}, None),
        (TAGGED, {"x": True}, None),
        (TAGGED, {"type": None, "x": True}, None),
        (TAGGED, {"type": "two", "x": True}, (403, "f.x")),
        (TAGGED, {"type": "two"}, (400, "f")),
        (TAGGED, {"type": "two", "y": {"c": 1}}, (403, "f.y.c")),
        (TAGGED, {"type": "three"}, (403, "f.three")),
        (TAGGED, {"type": ["one"]}, (400, "f")),
        (STRICT, {}, (400, "f")),
        (STRICT, {"type": None}, (400, "f")),
        (STRICT, {"x": 1}, (403, "f.x")),
        (AnyOf(Shape(TEXT), NUMBERS), [1], None),
        (AnyOf(Shape(TEXT), NUMBERS), [[1]], (400, "f")),
        (AnyOf(Shape(TEXT), NUMBERS), {}, (400, "f")),
        (ListOf(AnyOf(Shape(TEXT), NUMBERS)), [], None),
        (ListOf(AnyOf(Shape(TEXT), NUMBERS)), ["x", [1], []], None),
        (ListOf(AnyOf(Shape(TEXT), NUMBERS)), [[1], ["x"]], (400, "f")),
        (ListOf(AnyOf(Shape(TEXT), NUMBERS)), ["x", None], (400, "f")),
    ],
)
def test_what_a_shape_does_not_list_is_refused(shape, value, expected):
    assert refusal(shape, value) == expected


@pytest.mark.parametrize(
    ("shape", "value", "name"),
    [
        (OBJECT, {"c": {"d": 1}}, "f.c"),
        (OBJECT, {"b": "any"}, "f.b"),
        (TAGGED, {"type": "three", "z": 1}, "f.three"),
        (TAGGED, {"type": "two", "z": 1}, "f.z"),
        (STRICT, {"z": 1}, "f.z"),
    ],
)
def test_a_name_allows_a_field_with_any_value(shape, value, name):
    assert refusal(shape, value) is not None
    assert refusal(shape, value, name) is None
    assert refusal(shape, value, name + "x", "f", name.upper()) is not None


def test_unknown_fields_that_are_null_are_removed():
    value = {"a": None, "c": None, "b": [1]}
    assert refusal(OBJECT, value) is None
    assert value == {"a": None, "b": [1]}
