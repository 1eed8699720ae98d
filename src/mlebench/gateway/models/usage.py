"""What calls used: tokens, requests and money; of one call, of a model, of a run."""

from __future__ import annotations

from dataclasses import dataclass, field

MAX_TOKENS = 10**12
"""Larger numbers of tokens count as this one: no call can use them, and prices are floats."""


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Numbers of tokens of one or more calls."""

    input: int = 0
    """Input tokens that were neither read from nor written to a cache."""
    cached_input: int = 0
    """Input tokens that were read from the provider's cache."""
    cache_write: int = 0
    """Input tokens that were written to the provider's cache."""
    output: int = 0
    """Output tokens, hidden reasoning included."""
    reasoning: int = 0
    """The part of the output that was hidden reasoning, where the provider reports it."""

    def __add__(self, other: TokenUsage) -> TokenUsage:
        return TokenUsage(
            self.input + other.input,
            self.cached_input + other.cached_input,
            self.cache_write + other.cache_write,
            self.output + other.output,
            self.reasoning + other.reasoning,
        )

    @property
    def total(self) -> int:
        """Input and output tokens together."""
        return self.input + self.cached_input + self.cache_write + self.output


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """Sums over calls, of one model or of several."""

    requests: int = 0
    """Calls that the budget admitted, whether or not they succeeded."""
    tokens: TokenUsage = field(default_factory=TokenUsage)
    cost: float = 0.0
    """US dollars, without calls to models that have no price."""
    estimated: int = 0
    """Calls whose tokens are estimated by their reservation, because the upstream did not report them."""
    unpriced: int = 0
    """Calls to models without a price."""

    def __add__(self, other: ModelUsage) -> ModelUsage:
        return ModelUsage(
            self.requests + other.requests,
            self.tokens + other.tokens,
            self.cost + other.cost,
            self.estimated + other.estimated,
            self.unpriced + other.unpriced,
        )


@dataclass(frozen=True, slots=True)
class RunUsage:
    """What a run has used."""

    total: ModelUsage = field(default_factory=ModelUsage)
    by_model: dict[str, ModelUsage] = field(default_factory=dict)
    """By the model name that agents request."""
    refused: int = 0
    """Requests that the gateway refused; they are not part of the sums."""
