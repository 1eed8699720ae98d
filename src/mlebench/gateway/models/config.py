"""The configuration `models.yaml`: upstreams, models under the names that agents request, prices, budget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    StringConstraints,
    field_validator,
    model_serializer,
    model_validator,
)

from mlebench.errors import DeclarationError, EnvironmentUnfitError
from mlebench.gateway.models.prices import Price, load_prices
from mlebench.ground.declarations import read_declaration

if TYPE_CHECKING:
    from collections.abc import Mapping

Protocol = Literal["openai", "anthropic"]
PREFIX = "gateway/"
"""Optional prefix of every model name: some agents bypass the gateway for a bare `gpt-...`."""


FieldName = Annotated[str, StringConstraints(pattern=r"^[!-~]+$", max_length=200)]
"""The dotted name of a field in a request."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Upstream(_Model):
    """A model provider, or your own model server."""

    protocol: Protocol
    base_url: Annotated[str, StringConstraints(strip_whitespace=True)]
    """As the official client takes it: with `/v1` for OpenAI, without it for Anthropic."""
    key_variable: str | None = None
    """The environment variable that holds the key; without it, no key is sent."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Headers of each request. Not for keys: the file may be shown to others."""
    timeout_seconds: Annotated[float, Field(gt=0)] = 600.0
    """Time until a response begins, retries included; also the longest silence within a response."""
    retries: Annotated[int, Field(ge=0, le=100)] = 4
    """How often a request is retried after an error that may be temporary."""
    stream_usage: bool = True
    """Request token counts at the end of OpenAI streams; false for servers that reject `stream_options`."""
    allowed_fields: tuple[FieldName, ...] = ()
    """Fields of requests that agents may send in addition to the gateway's list, by the names that its refusals give,
    such as `top_a` or `messages.content.image_url.url`. Any value of them passes, also one with another price."""
    max_output_tokens: Annotated[int, Field(gt=0)] = 131_072
    """The most output tokens of one answer: what a call reserves of the budget, and what a request without a limit of
    its own costs if the upstream reports no tokens."""

    @field_validator("base_url")
    @classmethod
    def _check_url(cls, value: str) -> str:
        scheme, separator, rest = value.partition("://")
        invalid = any(character in rest for character in "?#@ ")
        if scheme not in ("http", "https") or not separator or not rest or invalid:
            raise ValueError("use a URL such as https://host/v1, without user, query or fragment")
        return value.rstrip("/")

    @field_validator("allowed_fields")
    @classmethod
    def _check_fields(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if controlled := sorted({"model", "stream", "background"} & set(names)):
            raise ValueError(f"the gateway itself controls {controlled[0]!r}; remove it")
        return names

    @model_serializer(mode="wrap")
    def _omit_defaults(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out newer settings that are not used: the digests of configurations stay what they were."""
        content: dict[str, Any] = serialize(self)
        newer = ("allowed_fields", "max_output_tokens")
        unused = {name for name in newer if getattr(self, name) == type(self).model_fields[name].default}
        return {name: value for name, value in content.items() if name not in unused}


class ModelEntry(_Model):
    """A model under the name that agents request."""

    upstream: str
    model: str | None = None
    """The model's name at the upstream, if it differs."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Values that replace what the agent sends, such as `temperature`; null removes a field."""


class Budget(_Model):
    """What one run may use; None means no limit."""

    requests: Annotated[int, Field(gt=0)] | None = None
    tokens: Annotated[int, Field(gt=0)] | None = None
    """Input tokens, cached or not, and output tokens, over all models."""
    money: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """US dollars."""


class ModelsConfig(_Model):
    """The content of `models.yaml`."""

    format_version: Literal[1] = 1
    upstreams: Annotated[dict[str, Upstream], Field(min_length=1)]
    models: dict[str, ModelEntry] = Field(default_factory=dict)
    default_upstream: str | None = None
    """The upstream of models that are not listed; without it, they are refused."""
    prices: Path | dict[str, Price] | None = None
    """A price file, relative to this one, or a table. They override the built-in prices."""
    budget: Budget = Budget()
    hosted_tools: bool = False
    """Whether agents may use tools, URLs and stored files at the provider, such as web search: a way to the network
    that the sandbox cannot close."""
    logged_bytes: Annotated[int, Field(ge=0)] = 1024**2
    """Bytes of each body that the log of calls keeps; the digest covers the whole body."""

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        named = {f"the model {name!r}": entry.upstream for name, entry in self.models.items()}
        if self.default_upstream is not None:
            named["default_upstream"] = self.default_upstream
        for what, upstream in named.items():
            if upstream not in self.upstreams:
                known = ", ".join(sorted(self.upstreams))
                raise ValueError(f"{what} names the unknown upstream {upstream!r}; known: {known}")
        if prefixed := [name for name in self.models if name.startswith(PREFIX)]:
            raise ValueError(f"list the model {prefixed[0]!r} without {PREFIX!r}; agents may always add this prefix")
        if not self.models and self.default_upstream is None:
            raise ValueError("list models or set default_upstream; without either, every request would be refused")
        return self

    @classmethod
    def read(cls, path: Path) -> ModelsConfig:
        """Read `models.yaml`; a relative path of a price file is resolved against its folder."""
        try:
            config = read_declaration(path, cls)
        except OSError as error:
            raise DeclarationError(f"The models file {path} cannot be read: {error.strerror}.") from None
        if isinstance(config.prices, Path):
            return config.model_copy(update={"prices": path.parent / config.prices})
        return config

    def find(self, requested: str) -> tuple[str, ModelEntry] | None:
        """Return the name and the entry of the model that an agent requests, or None if it is not available."""
        name = requested.removeprefix(PREFIX)
        if entry := self.models.get(name):
            return name, entry
        if self.default_upstream is not None:
            return name, ModelEntry(upstream=self.default_upstream)
        return None

    def load_prices(self) -> dict[str, Price]:
        """Return prices by the name that agents request or by the name at the upstream."""
        return load_prices(self.prices)


def check_budget(config: ModelsConfig, budget: Budget, prices: Mapping[str, Price]) -> None:
    """Raise DeclarationError if the budget limits money and a listed model has no price."""
    if budget.money is None:
        return
    for name, entry in sorted(config.models.items()):
        if name not in prices and (entry.model or name) not in prices:
            raise DeclarationError(
                f"The budget limits money, but the model {name!r} has no price. Add it under `prices` in models.yaml."
            )


def read_keys(config: ModelsConfig, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the key of each upstream, empty if it needs none; raise EnvironmentUnfitError if one is missing."""
    keys = {}
    for name, upstream in config.upstreams.items():
        key = "" if upstream.key_variable is None else environment.get(upstream.key_variable, "").strip()
        if upstream.key_variable is not None and not key:
            raise EnvironmentUnfitError(
                f"The key of the upstream {name!r} is missing. Set the environment variable {upstream.key_variable}."
            )
        if not (key.isascii() and key.isprintable()):
            raise EnvironmentUnfitError(
                f"The key of the upstream {name!r} in {upstream.key_variable} has characters that HTTP headers cannot"
                " contain."
            )
        keys[name] = key
    return keys
