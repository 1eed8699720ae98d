"""One HTML file that holds a whole report, and that asks nobody for anything.

markup        escaping by construction
overview      the head of the page, caveats, the main table
medals        how every run came out, at a glance
strip         a drawing: where runs land on a leaderboard
competitions  a section for each competition
runs          the table of all runs
"""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import TYPE_CHECKING

from mlebench.analysis.page.competitions import competition_sections
from mlebench.analysis.page.markup import Html, join, tag
from mlebench.analysis.page.medals import medal_section
from mlebench.analysis.page.overview import caveat_box, head, main_section, page_title
from mlebench.analysis.page.runs import run_section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.analysis.report import Summary
    from mlebench.runs.record import GroupRecord

_SECTIONS = (("results", "Results"), ("medals", "Medals"), ("competitions", "Competitions"), ("runs", "Runs"))


def render_page(summary: Summary, groups: Sequence[GroupRecord]) -> str:
    """Return the report as one HTML page that opens from disk.

    Its content policy forbids every request, and lets only the page's own style and script through, by
    their hashes: even a text that slipped past the escaping could not run anything.
    """
    # Closing tags cannot be escaped inside these two elements, so that our files must not hold any.
    style, script = (Html(_resource(name)) for name in ("style.css", "script.js"))
    policy = (
        f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)};"
        " base-uri 'none'; form-action 'none'"
    )
    document = tag(
        "html",
        tag(
            "head",
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=policy),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="color-scheme", content="light dark"),
            tag("meta", name="referrer", content="no-referrer"),
            tag("title", page_title(summary)),
            tag("style", style),
        ),
        "\n",
        tag(
            "body",
            head(summary, groups),
            tag("main", caveat_box(summary), _sections(summary) if summary.runs else None),
            tag("footer", f"Made by mlebench on {summary.created_at:%d %B %Y at %H:%M %Z}."),
            tag("script", script),
        ),
        lang="en",
    )
    return f"<!DOCTYPE html>\n{document}\n"


def _sections(summary: Summary) -> Html:
    links = join(tag("a", title, href=f"#{name}") for name, title in _SECTIONS)
    return join(
        (
            tag("nav", links, aria_label="Sections"),
            main_section(summary),
            medal_section(summary),
            competition_sections(summary),
            run_section(summary),
        )
    )


def _resource(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
