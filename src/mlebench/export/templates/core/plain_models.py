"""What stands in for pydantic: models that take what they are given, which was checked when the tree was written."""

from __future__ import annotations

import json
from typing import Any, Self

ConfigDict = dict


class ValidationError(ValueError):
    """Raised where a text does not hold the fields of a model."""


class BaseModel:
    """Keeps the values given, unchecked; class attributes are the defaults."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    @classmethod
    def model_validate_json(cls, text: str | bytes) -> Self:
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError) as error:
            raise ValidationError(str(error)) from error


class BeforeValidator:
    """Stands in an annotation, where nobody reads it."""

    def __init__(self, function: Any) -> None:
        self.function = function


def Field(default: Any = None, **_: Any) -> Any:
    return default


def model_validator(**_: Any) -> Any:
    return lambda function: function
