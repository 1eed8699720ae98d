"""What tokens cost: price tables in YAML, and the cost of a call."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from mlebench.errors import DeclarationError
from mlebench.ground.declarations import read_declaration

if TYPE_CHECKING:
    from mlebench.gateway.models.usage import Usage

SHIPPED = Path(__file__).parent / "prices.yaml"

Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Price(BaseModel):
    """What a model's tokens cost, in US dollars per million; a kind without a price costs what input does."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: Amount
    output: Amount
    cached_input: Amount | None = None
    """Input that the provider read from its cache."""
    cache_write: Amount | None = None
    """Input that the provider wrote into its cache, where it asks for that separately."""

    def cost(self, usage: Usage) -> float:
        """Return US dollars for these tokens."""
        cached = self.input if self.cached_input is None else self.cached_input
        written = self.input if self.cache_write is None else self.cache_write
        micro_dollars = (
            usage.input * self.input
            + usage.cached_input * cached
            + usage.cache_write * written
            + usage.output * self.output
        )
        return micro_dollars / 1_000_000


class PriceTable(BaseModel):
    """A file of prices, by the name of the model."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format_version: Literal[1] = 1
    date: datetime.date
    """Day on which these were the prices."""
    currency: Literal["USD"] = "USD"
    models: dict[str, Price]


def load_prices(given: Path | dict[str, Price] | None) -> dict[str, Price]:
    """Return prices by model: those that come along, replaced by those in a file or a table of the user's."""
    prices = read_declaration(SHIPPED, PriceTable).models
    if isinstance(given, Path):
        try:
            return prices | read_declaration(given, PriceTable).models
        except OSError as error:
            raise DeclarationError(f"The price file {given} cannot be read: {error.strerror}.") from None
    return prices | (given or {})
