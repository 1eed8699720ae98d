"""Pages as their outline: elements, and whether each is closed."""

from __future__ import annotations

import html.parser
from typing import TYPE_CHECKING

from mlebench.analysis.page import render_page
from mlebench.analysis.summary import summarize

from .records import sources_of

if TYPE_CHECKING:
    from mlebench.runs.record import GroupRecord


def page_of(*groups: GroupRecord) -> str:
    sources = sources_of(*groups)
    return render_page(summarize(sources), sources.groups)


class Outline(html.parser.HTMLParser):
    """The elements of a page, and whether each is closed."""

    void = ("meta", "rect", "line", "circle", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.void:
            assert self.open.pop() == tag

    def count(self, name: str) -> int:
        return sum(tag == name for tag, _ in self.elements)
