"""Replacements for pydantic: models that take any value, since values were validated when the tree was written."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Self

ConfigDict = dict
SerializerFunctionWrapHandler = Callable[..., Any]


class ValidationError(ValueError):
    """Raised when a text is not a model in JSON."""


class BaseModel:
    """Keeps values without validation; class attributes are the defaults."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    @classmethod
    def model_validate_json(cls, text: str | bytes) -> Self:
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError) as error:
            raise ValidationError(str(error)) from error


class BeforeValidator:
    """Does nothing in an annotation."""

    def __init__(self, function: Any) -> None:
        self.function = function


def Field(default: Any = None, **_: Any) -> Any:
    return default


def model_validator(**_: Any) -> Any:
    return lambda function: function


def model_serializer(**_: Any) -> Any:
    return lambda function: function
