"""HTML that is escaped by construction: a plain string can become text, never markup."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

_VOID = {"meta", "rect", "line", "circle", "br", "img"}


class Html(str):
    """Markup; only `tag`, `join` and this package's own files make it."""

    __slots__ = ()


def tag(name: str, /, *children: str | None, **attributes: str | float | bool | None) -> Html:
    """Return an element; plain strings among its children and all attribute values are escaped.

    Attributes that are None or False are left out. In their names, underscores become hyphens, and an underscore at
    the end, which avoids Python keywords, is dropped.

    >>> tag("td", "<script>", class_="gold", aria_label='"')
    '<td class="gold" aria-label="&quot;">&lt;script&gt;</td>'
    """
    opened = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{html.escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{opened}>" if name in ("meta", "br", "img") else f"<{name}{opened}/>")
    return Html(f"<{name}{opened}>{join(children)}</{name}>")


def join(parts: Iterable[str | None], separator: str = "") -> Html:
    """Return the parts in sequence; plain strings are escaped."""
    return Html(
        html.escape(separator).join(
            part if isinstance(part, Html) else html.escape(part) for part in parts if part is not None
        )
    )


def facts_list(facts: Mapping[str, str]) -> Html:
    """Return names with their values; empty values are left out."""
    return tag("dl", join(tag("div", tag("dt", name), tag("dd", fact)) for name, fact in facts.items() if fact))


def header_row(headings: Iterable[str], numbers: Collection[str] = ()) -> Html:
    """Return a row of headings; those in `numbers` are aligned to the right."""
    return tag(
        "tr", join(tag("th", text, scope="col", class_="number" if text in numbers else None) for text in headings)
    )


def table(caption: str, head: Iterable[Html], body: Iterable[Html | None], class_: str) -> Html:
    """Return a table in a box that scrolls if the window is too narrow, by keyboard too.

    The caption is for screen readers.
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
