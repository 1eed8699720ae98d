"""Commands with groups of options: a parameter whose type is a dataclass stands for all options of that class.

Typer itself knows single parameters only.
"""

from __future__ import annotations

import functools
import inspect
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable

    Result = TypeVar("Result")


def with_groups(command: Callable[..., Result]) -> Callable[..., Result]:
    """Return a command whose groups of options are single options, each group in the place of its parameter."""
    kinds = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in kinds.items() if is_dataclass(kind)}
    options: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in groups:
            inner = get_type_hints(groups[name], include_extras=True)
            options += [_option(field.name, inner[field.name], field.default) for field in fields(groups[name])]
        else:
            options.append(_option(name, kinds[name], parameter.default))

    @functools.wraps(command)
    def called(**given: Any) -> Result:
        values = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        return command(**given, **values)

    called.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    called.__annotations__ = {option.name: option.annotation for option in options}
    return called


def _option(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
