"""Shapes of single values in requests: numbers, names, choices, attachments, and the agent's own data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mlebench.gateway.models.errors import GatewayError
from mlebench.gateway.models.shapes import (
    FLAG,
    LIST,
    NUMBER,
    OBJECT,
    TEXT,
    Shape,
    refuse,
    refuse_prototype,
    shown,
)

if TYPE_CHECKING:
    from mlebench.gateway.models.shapes import Contents

_BASE64 = re.compile(r"[A-Za-z0-9+/=_\s-]*")
_NAME = re.compile(r"[A-Za-z0-9_.:/-]{1,256}")
_REFERENCE_KEYS = ("$ref", "$dynamicRef", "$recursiveRef")


class Count(Shape):
    """A whole number from 0."""

    def __init__(self) -> None:
        super().__init__(NUMBER)

    def check_inside(self, value: Any, path: str, contents: Contents) -> None:
        if not isinstance(value, int) or value < 0:
            raise GatewayError(400, f"The field {shown(path)} must be a whole number from 0.", param=path)


class TokenId(Count):
    """A token, as a number."""

    def check_inside(self, value: Any, path: str, contents: Contents) -> None:
        super().check_inside(value, path, contents)
        contents.token_ids += 1

    def check_items(self, values: list[Any], path: str, contents: Contents) -> None:
        if set(map(type, values)) == {int} and min(values) >= 0:
            contents.token_ids += len(values)
        else:
            super().check_items(values, path, contents)


class Name(Shape):
    """The name of a tool. Some providers run a tool of their own for a function with a name such as `$web_search`."""

    def __init__(self) -> None:
        super().__init__(TEXT)

    def check_inside(self, value: Any, path: str, contents: Contents) -> None:
        if not _NAME.fullmatch(value):
            raise GatewayError(400, f"The field {shown(path)} may have letters, digits and _.:/- only.", param=path)


class Choice(Shape):
    """One of the listed values; other values need the owner's permission.

    Parameters
    ----------
    values : str or bool
        The values.
    """

    def __init__(self, *values: str | bool) -> None:
        super().__init__(*sorted({FLAG if isinstance(value, bool) else TEXT for value in values}))
        self.values = values

    def check_inside(self, value: Any, path: str, contents: Contents) -> None:
        if value not in self.values:
            refuse(path, f"with this value (supported: {', '.join(map(str, self.values)).lower()})")


class Attachment(Shape):
    """A picture, a sound or a file within the request: a `data:` URL, never an address.

    Parameters
    ----------
    base64 : bool
        Whether it may also be base64 without the beginning of a URL.
    """

    def __init__(self, *, base64: bool = False) -> None:
        super().__init__(TEXT)
        self._base64 = base64

    def check_inside(self, value: Any, path: str, contents: Contents) -> None:
        if not value.startswith("data:") and not (self._base64 and _BASE64.fullmatch(value)):
            refuse(path, "with an address; send the content as a data: URL")
        contents.attachments.append(len(value))


class Free(Shape):
    """Any value: it is the agent's own data, such as the arguments of a tool, or a JSON schema.

    Parameters
    ----------
    is_schema : bool
        Whether references must stay inside the value: some model servers fetch other documents.
    """

    def __init__(self, *, is_schema: bool = False) -> None:
        super().__init__(TEXT, NUMBER, FLAG, LIST, OBJECT)
        self._is_schema = is_schema

    def check_inside(self, value: Any, path: str, contents: Contents) -> None:
        pending = [value]
        while pending:
            item = pending.pop()
            if isinstance(item, list):
                pending += item
            elif isinstance(item, dict):
                for name, inner in item.items():
                    refuse_prototype(name, path)
                    leaves = isinstance(inner, str) and not inner.startswith("#")
                    if self._is_schema and name in _REFERENCE_KEYS and leaves:
                        refuse(path, "with a reference to another document")
                    pending.append(inner)
