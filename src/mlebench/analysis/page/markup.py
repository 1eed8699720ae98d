"""HTML that is escaped by construction: a plain string can become text, never markup."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_VOID = {"meta", "rect", "line", "circle", "br"}


class Html(str):
    """Markup; only `tag`, `join` and files of ours may make it."""

    __slots__ = ()


def tag(name: str, /, *children: str | None, **attributes: str | float | bool | None) -> Html:
    """Return an element; plain strings among its children and all attribute values are escaped.

    Attributes that are None or False are left out, underscores in their names become hyphens, and one at
    the end, which keeps them from being Python keywords, goes away.

    >>> tag("td", "<script>", class_="gold", aria_label='"')
    '<td class="gold" aria-label="&quot;">&lt;script&gt;</td>'
    """
    opened = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{html.escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{opened}>" if name in ("meta", "br") else f"<{name}{opened}/>")
    return Html(f"<{name}{opened}>{join(children)}</{name}>")


def join(parts: Iterable[str | None], separator: str = "") -> Html:
    """Return parts one after the other, plain strings escaped."""
    return Html(
        html.escape(separator).join(
            part if isinstance(part, Html) else html.escape(part) for part in parts if part is not None
        )
    )


def table(caption: str, head: Iterable[Html], body: Iterable[Html | None], class_: str) -> Html:
    """Return a table in a box that scrolls where the window is too narrow, by keyboard too.

    The caption is for those who hear the page; what everybody reads stands in a note above, where it can
    be wider than a small table.
    """
    return tag(
        "div",
        tag(
            "table",
            tag("caption", caption, class_="unseen"),
            tag("thead", join(head)),
            tag("tbody", join(body, "\n")),
            class_=class_,
        ),
        class_="scroll",
        tabindex="0",
        role="region",
        aria_label=caption,
    )
