"""Prices of tokens."""

from __future__ import annotations

from mlebench.gateway.models import TokenUsage
from mlebench.gateway.models.prices import load_prices


def test_cached_input_without_a_price_costs_what_input_does():
    price = load_prices(None)["gpt-4o-2024-08-06"]
    assert price.cost(TokenUsage(input=1_000_000, cached_input=1_000_000, output=1_000_000)) == 13.75
    assert load_prices(None)["o1-preview"].cost(TokenUsage(cached_input=1_000_000)) == 15
