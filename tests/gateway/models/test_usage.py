"""Sums of tokens and calls."""

from __future__ import annotations

from mlebench.gateway.models.usage import ModelUsage, TokenUsage

TOKENS = TokenUsage(input=1, cached_input=20, cache_write=300, output=4000, reasoning=50_000)


def test_each_kind_of_token_is_added_to_its_own_kind():
    twice = TOKENS + TOKENS
    assert twice == TokenUsage(2, 40, 600, 8000, 100_000)
    assert TOKENS + TokenUsage() == TOKENS


def test_reasoning_is_a_part_of_the_output_and_counts_once():
    assert TOKENS.total == 4321


def test_the_usage_of_models_is_added_field_by_field():
    one = ModelUsage(requests=1, tokens=TOKENS, cost=0.5, estimated=2, unpriced=3)
    assert one + one == ModelUsage(2, TOKENS + TOKENS, 1.0, 4, 6)
    assert ModelUsage() + one == one
