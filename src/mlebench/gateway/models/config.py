"""What the user says about models in `models.yaml`: where they are, what agents call them, what a run may spend."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from mlebench.errors import DeclarationError, EnvironmentUnfitError
from mlebench.gateway.models.prices import Price, load_prices
from mlebench.ground.declarations import read_declaration

if TYPE_CHECKING:
    from collections.abc import Mapping

KiB = 1024
MiB = 1024**2

Protocol = Literal["openai", "anthropic"]
PREFIX = "gateway/"
"""May stand before any model's name: some agents take a bare `gpt-...` as a reason to leave for the vendor."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Upstream(_Model):
    """One provider, or a model server of one's own."""

    protocol: Protocol
    base_url: Annotated[str, StringConstraints(strip_whitespace=True)]
    """As the protocol's own client takes it: with `/v1` for OpenAI, without for Anthropic."""
    key_variable: str | None = None
    """Environment variable that holds the key; without it, none is sent."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Sent along with each request. Not for keys: this file may be shown."""
    timeout_seconds: Annotated[float, Field(gt=0)] = 600.0
    """Within this time, all tries included, an answer has to begin; a longer silence inside one cuts it."""
    retries: Annotated[int, Field(ge=0, le=100)] = 4
    """How often a call is tried again that failed for a reason that may pass."""
    stream_usage: bool = True
    """Ask for token counts at the end of OpenAI streams; False for servers that refuse `stream_options`."""

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        scheme, mark, rest = value.partition("://")
        if scheme not in ("http", "https") or not mark or not rest or any(sign in rest for sign in "?#@ "):
            raise ValueError("an address such as https://host/v1 is needed, without user, query or fragment")
        return value.rstrip("/")


class ModelEntry(_Model):
    """A model under the name that agents ask for."""

    upstream: str
    model: str | None = None
    """Its name at the upstream, where that is another."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Values that replace what the agent sends, such as `temperature`; null takes a field out."""


class Budget(_Model):
    """What one run may spend; None means that it is not bounded."""

    requests: Annotated[int, Field(gt=0)] | None = None
    tokens: Annotated[int, Field(gt=0)] | None = None
    """Input, cached or not, and output, of all models together."""
    money: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """US dollars."""


class ModelsConfig(_Model):
    """The content of `models.yaml`."""

    format_version: Literal[1] = 1
    upstreams: Annotated[dict[str, Upstream], Field(min_length=1)]
    models: dict[str, ModelEntry] = Field(default_factory=dict)
    default_upstream: str | None = None
    """Where models that are not listed are asked for, under the name that the agent used."""
    prices: Path | dict[str, Price] | None = None
    """A price file, relative to this one, or a table; they replace prices that come along."""
    budget: Budget = Budget()
    hosted_tools: bool = False
    """Whether agents may use tools and addresses at the provider (web search, files by URL): a way out to
    the network that the sandbox cannot close."""
    logged_bytes: Annotated[int, Field(ge=0)] = MiB
    """Bytes of each body that are kept in the log of calls; its digest covers the whole."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        named = {f"the model {name!r}": entry.upstream for name, entry in self.models.items()}
        if self.default_upstream is not None:
            named["default_upstream"] = self.default_upstream
        for what, upstream in named.items():
            if upstream not in self.upstreams:
                known = ", ".join(sorted(self.upstreams))
                raise ValueError(f"{what} names the upstream {upstream!r}, which is not among {known}")
        if prefixed := [name for name in self.models if name.startswith(PREFIX)]:
            raise ValueError(f"the model {prefixed[0]!r} is accepted with {PREFIX!r} anyway; list it without")
        if not self.models and self.default_upstream is None:
            raise ValueError("neither models nor a default_upstream is given, so nothing could be asked for")
        return self

    @classmethod
    def read(cls, path: Path) -> ModelsConfig:
        """Read `models.yaml`; a price file that it names is read along."""
        try:
            config = read_declaration(path, cls)
        except OSError as error:
            raise DeclarationError(f"The models file {path} cannot be read: {error.strerror}.") from None
        if isinstance(config.prices, Path):
            return config.model_copy(update={"prices": path.parent / config.prices})
        return config

    def find(self, asked: str) -> tuple[str, ModelEntry] | None:
        """Return a model's name and entry by what an agent asks for, or None."""
        name = asked.removeprefix(PREFIX)
        if entry := self.models.get(name):
            return name, entry
        if self.default_upstream is not None:
            return name, ModelEntry(upstream=self.default_upstream)
        return None

    def price_list(self) -> dict[str, Price]:
        """Return prices by the name that agents ask for or the name at the upstream."""
        return load_prices(self.prices)


def check_budget(config: ModelsConfig, budget: Budget, prices: Mapping[str, Price]) -> None:
    """Raise DeclarationError where money is bounded and a listed model has no price."""
    if budget.money is None:
        return
    for name, entry in sorted(config.models.items()):
        if name not in prices and (entry.model or name) not in prices:
            raise DeclarationError(
                f"The budget bounds money, but the model {name!r} has no price; add it under `prices` in models.yaml."
            )


def read_keys(config: ModelsConfig, environment: Mapping[str, str]) -> dict[str, str]:
    """Return each upstream's key, empty where none is sent; EnvironmentUnfitError names a missing variable."""
    keys = {}
    for name, upstream in config.upstreams.items():
        key = "" if upstream.key_variable is None else environment.get(upstream.key_variable, "").strip()
        if upstream.key_variable is not None and not key:
            raise EnvironmentUnfitError(
                f"The key of the upstream {name!r} is missing: set the environment variable {upstream.key_variable}."
            )
        if not (key.isascii() and key.isprintable()):
            raise EnvironmentUnfitError(
                f"The key of the upstream {name!r} in {upstream.key_variable} has signs that no header can carry."
            )
        keys[name] = key
    return keys
