"""Shapes of JSON values: what a request may contain, at every depth.

A shape lists what is allowed. Everything else is refused with its dotted name, such as `messages.content.file.file_id`.
The name of an object of an unknown type ends with that type, such as `tools.web_search`. The owner of the models file
may allow more by these names. Then the gateway does not look inside that field.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from mlebench.gateway.models.errors import GatewayError

if TYPE_CHECKING:
    from collections.abc import Mapping

TEXT, NUMBER, FLAG, LIST, OBJECT = "a string", "a number", "true or false", "a list", "an object"
_KINDS: dict[type, str] = {bool: FLAG, int: NUMBER, float: NUMBER, str: TEXT, list: LIST, dict: OBJECT}


@dataclass
class Contents:
    """What a check of one request allows and finds."""

    allowed: frozenset[str] = frozenset()
    """Names of fields that are allowed in addition."""
    attachments: list[int] = field(default_factory=list)
    """Bytes of each picture, sound and file."""
    token_ids: int = 0
    """Number of tokens that are given as numbers."""


class Shape:
    """What one JSON value may be: any value of some JSON types; subclasses look inside it.

    Parameters
    ----------
    kinds : str
        The JSON types.
    """

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds

    def check(self, value: Any, path: str, contents: Contents) -> None:
        """Raise GatewayError if a value is not allowed; remove unknown fields that are null.

        Parameters
        ----------
        value : any JSON value but null
            The value; objects in it may change.
        path : str
            The dotted name of the value.
        contents : Contents
            What is allowed in addition; receives what is found.

        Raises
        ------
        GatewayError
            With status 403 if a field is not allowed, and 400 if its value has another JSON type.
        """
        kind = _KINDS.get(type(value), "null")
        if kind not in self.kinds:
            raise GatewayError(
                400, f"The field {shown(path)} must be {' or '.join(self.kinds)}, not {kind}.", param=path
            )
        self.check_inside(value, path, contents)

    def check_inside(self, value: Any, path: str, contents: Contents) -> None:
        """Check a value that has one of the JSON types."""

    def check_items(self, values: list[Any], path: str, contents: Contents) -> None:
        """Check the items of a list; subclasses check long lists faster."""
        for value in values:
            self.check(value, path, contents)


class ListOf(Shape):
    """A list whose items have one shape."""

    def __init__(self, item: Shape) -> None:
        super().__init__(LIST)
        self.item = item

    def check_inside(self, value: Any, path: str, contents: Contents) -> None:
        self.item.check_items(value, path, contents)


class MapOf(Shape):
    """An object with any names, whose values have one shape."""

    def __init__(self, value: Shape) -> None:
        super().__init__(OBJECT)
        self.value = value

    def check_inside(self, value: Any, path: str, contents: Contents) -> None:
        for name, item in value.items():
            refuse_prototype(name, path)
            if item is not None:
                self.value.check(item, f"{path}.{name}", contents)


class Fields(Shape):
    """An object with known fields. Unknown fields that are null ask for nothing and are removed.

    Parameters
    ----------
    fields : mapping of str to Shape
        The fields by name.
    required : tuple of str
        The fields that must be present, because a provider could take their absence for something else.
    """

    def __init__(self, fields: Mapping[str, Shape], required: tuple[str, ...] = ()) -> None:
        super().__init__(OBJECT)
        self.fields = dict(fields)
        self.required = required

    def check_inside(self, value: Any, path: str, contents: Contents) -> None:
        required = self.required
        for name in list(value):
            inner = f"{path}.{name}" if path else name
            if inner in contents.allowed:
                required = ()
                continue
            shape = self.fields.get(name)
            if value[name] is None:
                if shape is None:
                    del value[name]
            elif shape is None:
                refuse(inner)
            else:
                shape.check(value[name], inner, contents)
        for name in required:
            if value.get(name) is None:
                raise GatewayError(400, f"The field {shown(path)} has no {name!r}.", param=path)


class ByType(Shape):
    """An object whose field `type` decides which other fields it may have.

    Parameters
    ----------
    types : mapping of str to Fields
        The fields of each type, without `type` itself.
    default : str, optional
        The type of objects without a `type`; None refuses them.
    """

    def __init__(self, types: Mapping[str, Fields], default: str | None = None) -> None:
        super().__init__(OBJECT)
        tag = {"type": Shape(TEXT)}
        self.types = {name: Fields(tag | given.fields, given.required) for name, given in types.items()}
        self._default = default

    def check_inside(self, value: Any, path: str, contents: Contents) -> None:
        name = value.get("type")
        if name is None:
            name = self._default
        if name is None:
            Fields({}, ("type",)).check_inside(value, path, contents)  # refuses by a name, such as `tools.googleSearch`
            return
        if not isinstance(name, str):
            raise GatewayError(400, f"The field {shown(path)} must have a string as its 'type'.", param=path)
        if f"{path}.{name}" in contents.allowed:
            return
        if name not in self.types:
            refuse(f"{path}.{name}")
        self.types[name].check_inside(value, path, contents)


class AnyOf(Shape):
    """A value of one of several shapes, which differ in their JSON types."""

    def __init__(self, *shapes: Shape) -> None:
        super().__init__(*(kind for shape in shapes for kind in shape.kinds))
        self.shapes = shapes

    def check_inside(self, value: Any, path: str, contents: Contents) -> None:
        kind = _KINDS[type(value)]
        next(shape for shape in self.shapes if kind in shape.kinds).check_inside(value, path, contents)

    def check_items(self, values: list[Any], path: str, contents: Contents) -> None:
        kinds = {_KINDS.get(kind, "null") for kind in set(map(type, values))}
        shapes = [shape for shape in self.shapes if kinds <= set(shape.kinds)]
        if values and shapes:
            shapes[0].check_items(values, path, contents)
        else:
            super().check_items(values, path, contents)


def refuse(path: str, how: str = "") -> NoReturn:
    """Raise the GatewayError for a field that is not allowed, or not allowed with its value."""
    raise GatewayError(
        403,
        f"The gateway does not pass on the field {shown(path)}{how and f' {how}'}. Remove it, or ask the owner of"
        " models.yaml to add it to allowed_fields.",
        param=path[:200],
    )


def refuse_prototype(name: str, path: str) -> None:
    """Refuse the name of a field that changes the object itself in JavaScript."""
    if name == "__proto__":
        raise GatewayError(400, f"The field {shown(path)} has a field {name!r}, which is not supported.", param=path)


def shown(path: str) -> str:
    """Return the name of a field as messages show it."""
    return repr(path[:120])
