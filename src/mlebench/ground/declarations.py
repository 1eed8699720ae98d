"""Read declarations: YAML files with the fields of a pydantic model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from mlebench.errors import DeclarationError

if TYPE_CHECKING:
    from pathlib import Path

Model = TypeVar("Model", bound=BaseModel)
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
BAD_VALUES = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What the library raises for values such as 2025-13-45, and for deep nesting."""


def read_declaration(path: Path, model: type[Model]) -> Model:
    """Read a declaration.

    Parameters
    ----------
    path
        A YAML file.
    model
        A pydantic model.

    Raises
    ------
    DeclarationError
        The file is not YAML, or a field is wrong; the message names it.
    FileNotFoundError
        There is no such file.
    """
    return check_declaration(read_yaml(path), model, path)


def read_yaml(path: Path) -> Any:
    """Return the value of a YAML file; DeclarationError if it is not YAML."""
    try:
        return yaml.load(path.read_bytes(), Loader=LOADER)
    except (yaml.YAMLError, *BAD_VALUES) as error:
        raise DeclarationError(f"{path} is not YAML: {error}") from error


def check_declaration(content: Any, model: type[Model], path: Path) -> Model:
    """Validate a value that was read from a file; DeclarationError names the field that is wrong."""
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise DeclarationError(f"{path} declares {where} wrongly: {first['msg']}.") from error
