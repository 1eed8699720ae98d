"""Variants of an agent: the same files with other settings, each saying only what differs from another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mlebench.errors import DeclarationError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

Content = dict[str, Any]
"""A declaration as it was read from YAML."""


def resolve(content: Content, variant: str, path: Path) -> Content:
    """Return a declaration with what a variant, and those that it extends, do differently."""
    declared = content.get("variants") or {}
    chain: list[str] = []
    wanted: str | None = variant
    while wanted is not None:
        if wanted in chain:
            raise DeclarationError(f"{path} has variants that extend each other: {', '.join([*chain, wanted])}.")
        if wanted not in declared:
            raise UnknownNameError(f"variant of the agent {content['id']}", wanted, declared)
        chain.append(wanted)
        wanted = (declared[wanted] or {}).get("extends")
    made = {name: value for name, value in content.items() if name != "variants"}
    for name in reversed(chain):
        differences = {key: value for key, value in (declared[name] or {}).items() if key != "extends"}
        made = merge(made, differences)
    return made | {"id": f"{content['id']}.{variant}"}


def merge(old: Content, new: Content) -> Content:
    """Return `old` with the values of `new`: mappings are merged, null takes a value out, all else replaces."""
    made = dict(old)
    for name, value in new.items():
        if value is None:
            made.pop(name, None)
        elif isinstance(value, dict) and isinstance(made.get(name), dict):
            made[name] = merge(made[name], value)
        elif isinstance(value, dict):
            made[name] = merge({}, value)
        else:
            made[name] = value
    return made
