"""Prices of tokens: price tables in YAML, and the cost of calls in US dollars."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from mlebench.errors import DeclarationError
from mlebench.ground.declarations import read_declaration

if TYPE_CHECKING:
    from mlebench.gateway.models.usage import TokenUsage

BUILT_IN_PRICES = Path(__file__).parent / "prices.yaml"

DollarsPerMillion = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Price(BaseModel):
    """Prices of a model's tokens, in US dollars per million; cache prices default to the price of input."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: DollarsPerMillion
    output: DollarsPerMillion
    cached_input: DollarsPerMillion | None = None
    """Input that the provider read from its cache."""
    cache_write: DollarsPerMillion | None = None
    """Input that the provider wrote to its cache, where it charges for that."""

    def cost(self, tokens: TokenUsage) -> float:
        """Return the cost of these tokens in US dollars."""
        cached_input = self.input if self.cached_input is None else self.cached_input
        cache_write = self.input if self.cache_write is None else self.cache_write
        micro_dollars = (
            tokens.input * self.input
            + tokens.cached_input * cached_input
            + tokens.cache_write * cache_write
            + tokens.output * self.output
        )
        return micro_dollars / 1_000_000


class PriceTable(BaseModel):
    """A price file: prices by the name of the model."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format_version: Literal[1] = 1
    date: datetime.date
    """The day on which these prices were valid."""
    currency: Literal["USD"] = "USD"
    models: dict[str, Price]


def load_prices(custom: Path | dict[str, Price] | None) -> dict[str, Price]:
    """Return prices by model name: the built-in ones, updated from a price file or a table."""
    prices = read_declaration(BUILT_IN_PRICES, PriceTable).models
    if isinstance(custom, Path):
        try:
            return prices | read_declaration(custom, PriceTable).models
        except OSError as error:
            raise DeclarationError(f"The price file {custom} cannot be read: {error.strerror}.") from None
    return prices | (custom or {})
