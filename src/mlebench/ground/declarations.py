"""Reading declarations: YAML files that a pydantic model describes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from mlebench.errors import DeclarationError

if TYPE_CHECKING:
    from pathlib import Path

Model = TypeVar("Model", bound=BaseModel)
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_declaration(path: Path, model: type[Model]) -> Model:
    """Read a declaration; DeclarationError names the field that is wrong, and FileNotFoundError goes through."""
    return check_declaration(read_yaml(path), model, path)


def read_yaml(path: Path) -> Any:
    """Return what a YAML file holds."""
    try:
        return yaml.load(path.read_bytes(), Loader=LOADER)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise DeclarationError(f"{path} is not readable YAML: {error}") from error


def check_declaration(content: Any, model: type[Model], path: Path) -> Model:
    """Return what was read from a file as a declaration; DeclarationError names the field that is wrong."""
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise DeclarationError(f"{path} declares {where} wrongly: {first['msg']}.") from error
