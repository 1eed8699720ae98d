"""Parse the input of an action: JSON, or something close to it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_FENCES = re.compile(r"^\s*```[a-z]*\s*\n?|\n?\s*```\s*$")


class InputError(Exception):
    """The input of an action cannot be parsed."""


def read_arguments(text: str, fields: Sequence[str]) -> dict[str, str]:
    """Return the values of exactly these fields, as text; InputError if one is missing."""
    bare = _FENCES.sub("", text.strip()).strip()
    if not fields and bare in ("", "{}", "None", "null"):
        return {}
    read = _as_json(bare)
    if read is None or set(read) != set(fields):
        read = _split_at_fields(bare, fields)
    if read is None:
        raise InputError(f"the input has to be a JSON object with exactly these keys: {', '.join(fields) or 'none'}")
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in read.items()}


def _as_json(text: str) -> dict[str, Any] | None:
    """Return the JSON object in a text; line breaks inside strings are allowed."""
    for candidate in (text, text[text.find("{") : text.rfind("}") + 1]):
        try:
            read = json.loads(candidate, strict=False)
        except ValueError:
            continue
        if isinstance(read, dict):
            return read
    return None


def _split_at_fields(text: str, fields: Sequence[str]) -> dict[str, str] | None:
    """Cut a text at the names of the fields, in order, for values with characters that JSON wants escaped."""
    if not fields:
        return None
    names = [rf"[\"']?{re.escape(name)}[\"']?\s*:\s*" for name in fields]
    match = re.search("(.*?)".join(names) + "(.*)", text, re.DOTALL)
    if match is None:
        return None
    return {name: _unquote(value) for name, value in zip(fields, match.groups(), strict=True)}


def _unquote(value: str) -> str:
    value = value.strip().rstrip(",").rstrip("}").strip().rstrip(",")
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return value.replace("\\n", "\n").replace('\\"', '"').replace("\\t", "\t").replace("\\\\", "\\")
