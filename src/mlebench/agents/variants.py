"""Variants of an agent: the same files with other settings, each of which says only what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mlebench.errors import DeclarationError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

Content = dict[str, Any]
"""A declaration as read from YAML."""


def apply_variant(content: Content, variant: str, path: Path) -> Content:
    """Return a declaration with the changes of a variant and of the variants that it extends.

    Parameters
    ----------
    content : dict
        The content of `agent.yaml`.
    variant : str
        Name of the variant.
    path : Path
        The file, for messages.

    Raises
    ------
    UnknownNameError
        There is no such variant.
    DeclarationError
        Variants extend each other in a circle.
    """
    declared = content.get("variants") or {}
    chain: list[str] = []
    name: str | None = variant
    while name is not None:
        if name in chain:
            raise DeclarationError(f"{path} has variants that extend each other: {', '.join([*chain, name])}.")
        if name not in declared:
            raise UnknownNameError(f"variant of the agent {content['id']}", name, declared)
        chain.append(name)
        name = (declared[name] or {}).get("extends")
    result = {key: value for key, value in content.items() if key != "variants"}
    for link in reversed(chain):
        changes = {key: value for key, value in (declared[link] or {}).items() if key != "extends"}
        result = merge(result, changes)
    return result | {"id": f"{content['id']}.{variant}"}


def merge(old: Content, new: Content) -> Content:
    """Return `old` with the values of `new`: mappings are merged, null removes a value, others replace theirs."""
    result = dict(old)
    for key, value in new.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict):
            inner = result.get(key)
            result[key] = merge(inner if isinstance(inner, dict) else {}, value)
        else:
            result[key] = value
    return result
