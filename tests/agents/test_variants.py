"""Variants change the declaration that they extend."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlebench.agents.variants import apply_variant, merge
from mlebench.errors import DeclarationError, UnknownNameError

FILE = Path("agent.yaml")
CONTENT = {
    "id": "mine",
    "settings": {"steps": 500, "model": "large"},
    "variants": {
        "short": {"settings": {"steps": 5}},
        "tiny": {"extends": "short", "settings": {"model": None}},
        "same": None,
        "here": {"extends": "there"},
        "there": {"extends": "here"},
        "lost": {"extends": "shorter"},
    },
}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, {}, {}),
        ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
        ({"a": 1}, {"a": None}, {}),
        ({}, {"a": None}, {}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"x": 3}}, {"a": {"x": 3, "y": 2}}),
        ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
        ({"a": "text"}, {"a": {"x": 1, "y": None}}, {"a": {"x": 1}}),
        ({"a": {"x": 1}}, {"a": False}, {"a": False}),
    ],
)
def test_mappings_are_merged_null_removes_and_others_replace(old, new, expected):
    assert merge(old, new) == expected


@pytest.mark.parametrize(
    ("variant", "settings"),
    [
        ("short", {"steps": 5, "model": "large"}),
        ("tiny", {"steps": 5}),
        ("same", {"steps": 500, "model": "large"}),
    ],
)
def test_a_variant_extends_others_and_is_named_after_the_agent(variant, settings):
    assert apply_variant(CONTENT, variant, FILE) == {"id": f"mine.{variant}", "settings": settings}
    assert CONTENT["settings"] == {"steps": 500, "model": "large"}


def test_variants_that_extend_each_other_are_listed():
    with pytest.raises(DeclarationError, match="extend each other: here, there, here"):
        apply_variant(CONTENT, "here", FILE)


def test_a_variant_that_extends_an_unknown_one_gets_the_nearest_name():
    with pytest.raises(UnknownNameError, match="did you mean 'short'"):
        apply_variant(CONTENT, "lost", FILE)
