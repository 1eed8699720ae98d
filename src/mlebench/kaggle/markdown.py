"""Convert the HTML of competition pages to Markdown; text that is Markdown already stays as it is."""

from __future__ import annotations

import re
from html.parser import HTMLParser

TAG = re.compile(r"</?(p|div|h[1-6]|ul|ol|li|table|tr|td|br|pre|code|strong|em|b|i|a|img|span)\b[^<>]*>", re.IGNORECASE)
HEADING = re.compile(r"h([1-6])")
MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*"}
BLOCKS = frozenset("p div section article header footer figure blockquote table dl dt dd".split())
SILENT = frozenset("script style head iframe noscript".split())


def to_markdown(text: str) -> str:
    """Return a page's text as Markdown; unknown tags are dropped but not their content, scripts and styles entirely."""
    if not TAG.search(text):
        return text.strip()
    writer = _Writer()
    writer.feed(text)
    writer.close()
    return writer.text()


def demote_headings(text: str, levels: int) -> str:
    """Return Markdown with its headings `levels` deeper, at most at the sixth; code blocks stay as they are."""
    fenced, lines = False, []
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        heading = None if fenced else re.match(r"(#{1,6})(?=\s)", line)
        lines.append("#" * min(6, len(heading[1]) + levels) + line[heading.end() :] if heading else line)
    return "\n".join(lines)


class _Writer(HTMLParser):
    """Writes Markdown from the HTML that it is fed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._parts: list[str] = []
        self._lists: list[int | None] = []
        """The open lists: the number of the last item, or None for a list without numbers."""
        self._links: list[str] = []
        self._row: list[str] | None = None
        """The cells of the open table row."""
        self._cell = 0
        self._rows = 0
        self._verbatim = 0
        self._silent = 0

    def text(self) -> str:
        lines = "".join(self._parts).replace("\xa0", " ")
        return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", lines)).strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag in SILENT:
            self._silent += 1
        elif heading := HEADING.fullmatch(tag):
            self._parts.append(f"\n\n{'#' * int(heading[1])} ")
        elif tag in MARKS:
            self._parts.append(MARKS[tag])
        elif tag == "br":
            self._parts.append("\n")
        elif tag == "hr":
            self._parts.append("\n\n---\n\n")
        elif tag == "pre":
            self._verbatim += 1
            self._parts.append("\n\n```\n")
        elif tag == "code" and not self._verbatim:
            self._parts.append("`")
        elif tag == "a":
            self._links.append(values.get("href") or "")
            self._parts.append("[")
        elif tag == "img":
            self._parts.append(f"![{values.get('alt') or ''}]({values.get('src') or ''})")
        elif tag in ("ul", "ol"):
            self._lists.append(0 if tag == "ol" else None)
            self._parts.append("" if len(self._lists) > 1 else "\n\n")
        elif tag == "li":
            self._item()
        elif tag == "tr":
            self._row = []
        elif tag in ("td", "th"):
            self._cell = len(self._parts)
        if tag == "table":
            self._rows = 0
        if tag in BLOCKS and self._row is None:
            self._parts.append("\n\n" if not self._lists else "")

    def handle_endtag(self, tag: str) -> None:
        if tag in SILENT:
            self._silent = max(0, self._silent - 1)
        elif HEADING.fullmatch(tag):
            self._parts.append("\n\n")
        elif tag in MARKS:
            self._parts.append(MARKS[tag])
        elif tag == "pre":
            self._verbatim = max(0, self._verbatim - 1)
            self._parts.append("```\n\n" if self._parts[-1].endswith("\n") else "\n```\n\n")
        elif tag == "code" and not self._verbatim:
            self._parts.append("`")
        elif tag == "a" and self._links:
            target = self._links.pop()
            self._parts.append(f"]({target})")
        elif tag in ("ul", "ol") and self._lists:
            self._lists.pop()
            self._parts.append("" if self._lists else "\n\n")
        elif tag in ("td", "th") and self._row is not None:
            cell = "".join(self._parts[self._cell :])
            del self._parts[self._cell :]
            self._row.append(" ".join(cell.split()).replace("|", "\\|"))
        elif tag == "tr" and self._row is not None:
            self._end_row()
        elif tag in BLOCKS and self._row is None:
            self._parts.append("\n\n" if not self._lists else "\n")

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        if self._verbatim:
            self._parts.append(data)
            return
        bare = re.sub(r"\s+", " ", data)
        if bare == " " and (not self._parts or self._parts[-1].endswith(("\n", " "))):
            return
        if self._parts and self._parts[-1].endswith("\n"):
            bare = bare.lstrip()
        self._parts.append(bare)

    def _item(self) -> None:
        depth = max(0, len(self._lists) - 1)
        mark = "-"
        if self._lists and self._lists[-1] is not None:
            self._lists[-1] += 1
            mark = f"{self._lists[-1]}."
        self._parts.append(f"\n{'  ' * depth}{mark} ")

    def _end_row(self) -> None:
        assert self._row is not None
        if self._row:
            self._parts.append(f"| {' | '.join(self._row)} |\n")
            if self._rows == 0:
                self._parts.append(f"|{' --- |' * len(self._row)}\n")
            self._rows += 1
        self._row = None
