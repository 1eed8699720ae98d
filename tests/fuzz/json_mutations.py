"""Mutations of JSON: a value somewhere in a line is replaced, removed, repeated or moved."""

from __future__ import annotations

import copy
import json
import random
import re
from typing import Any

VALUES = (
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**64), 10**400, 1e308, -0.0, 0.5,
    float("nan"), float("inf"), float("-inf"), "", " ", "\0", "\ud800", "\u202e", "\n", "a" * 300, "0", "-1", "1e999",
    "../..", "/etc/passwd", "null", "v1", "2025-03-01T09:00:00", "2025-03-01T09:00:00+00:00",
    "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", [], {}, [[]], {"": None},
)  # fmt: skip
"""Values at the edge of what a reader expects."""
JSON_AT_END = re.compile(rb"([^\[{]*)(.*)", re.DOTALL)
"""A line such as `data: {}`."""


def mutate_lines(data: bytes, max_size: int, seed: int) -> bytes:
    """Mutate one value in one line that ends in JSON; without such a line, or once in five times, mutate bytes."""
    import atheris

    draw = random.Random(seed)
    lines = data.split(b"\n")
    places = [place for place, line in enumerate(lines) if line.rstrip(b"\r")[-1:] in (b"}", b"]")]
    if places and draw.random() < 0.8:
        place = draw.choice(places)
        prefix, content = JSON_AT_END.fullmatch(lines[place]).groups()
        try:
            changed = json.dumps(mutate_value(json.loads(content), draw))
        except (ValueError, RecursionError):
            pass
        else:
            lines[place] = prefix + changed.encode("utf-8", "surrogatepass")
            if len(mutated := b"\n".join(lines)) <= max_size:
                return mutated
    return bytes(atheris.Mutate(data, max_size))


def mutate_value(value: Any, draw: random.Random) -> Any:
    """Return a JSON value with one or a few changes."""
    box = [value]
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        parents = _parents(box)
        parent = draw.choice(parents[1:] or parents)
        key = draw.choice(list(parent) if isinstance(parent, dict) else range(len(parent)))
        match draw.randrange(6):
            case 0 | 1:
                parent[key] = copy.deepcopy(draw.choice(VALUES))  # a shared list would change, or hold itself
            case 2 if parent is not box:
                del parent[key]
            case 3 if isinstance(parent, list) and parent is not box:
                parent.insert(key, parent[key])
            case 4:
                other = draw.choice(parents)
                parent[key] = json.loads(
                    json.dumps(draw.choice(list(other.values() if isinstance(other, dict) else other)))
                )
            case _ if isinstance(parent[key], str):
                parent[key] = _mutate_text(parent[key], draw)
            case _ if isinstance(parent[key], (int, float)):
                parent[key] = draw.choice((-parent[key], parent[key] + 1, parent[key] * 10**9))
    return box[0]


def _mutate_text(text: str, draw: random.Random) -> str:
    place = draw.randrange(len(text) + 1)
    return (
        text[:place]
        + draw.choice(("", "\0", "\n", "/", "..", "'", "{", "-", "9", "\U0001f600", "\udfff"))
        + text[place + draw.randrange(2) :]
    )


def _parents(value: Any) -> list[Any]:
    """Return all lists and objects in a value that are not empty, itself included."""
    found, pending = [], [value]
    while pending:
        item = pending.pop()
        if isinstance(item, (dict, list)) and item:
            found.append(item)
            pending += item.values() if isinstance(item, dict) else item
    return found
