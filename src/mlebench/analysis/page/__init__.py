"""One HTML file that holds a whole report, and that asks nobody for anything; and a small one for each run.

markup        escaping by construction
document      what every page is: its policy, style and script
overview      the head of the page, caveats, the main table
tables        any table of a report as a section
chart         curves that go by steps
curves        medals and scores over what runs spend
medals        how every run came out, at a glance
strip         a drawing: where runs land on a leaderboard
distribution  a drawing: where their scores lie among those of all teams
competitions  a section for each competition
runs          the table of all runs
dossier       the page of one run
live          what goes on right now
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.page.competitions import competition_sections
from mlebench.analysis.page.curves import curve_section
from mlebench.analysis.page.document import document
from mlebench.analysis.page.markup import Html, join, tag
from mlebench.analysis.page.medals import medal_section
from mlebench.analysis.page.overview import caveat_box, head, main_section, page_title
from mlebench.analysis.page.runs import run_section
from mlebench.analysis.page.tables import table_section
from mlebench.analysis.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mlebench.analysis.page.dossier import RunKey
    from mlebench.analysis.report import Summary
    from mlebench.runs.record import GroupRecord

SHOWN = {
    "intervals": "Intervals",
    "problems": "Known problems",
    "comparisons": "Comparisons",
    "sides": "Side by side",
    "complexity": "Complexity",
    "category": "Category",
    "year": "Year",
    "passes": "Attempts",
    "tasks": "Tasks",
    "failures": "Failures",
    "usage": "Usage",
}
"""Tables that have a section of the page, with what links to them say."""
MOST_RUNS = 5000
"""Runs up to which every one has a row: the page of 100 groups should still open."""


def render_page(summary: Summary, groups: Sequence[GroupRecord], run_pages: Mapping[RunKey, str] | None = None) -> str:
    """Return the report as one HTML page that opens from disk; `run_pages` are links to the pages of runs."""
    sections = list(_sections(summary, run_pages or {})) if summary.runs else []
    links = join(tag("a", title, href=f"#{name}") for name, title, _ in sections)
    return document(
        page_title(summary),
        head(summary, groups),
        tag(
            "main",
            caveat_box(summary),
            tag("nav", links, aria_label="Sections") if sections else None,
            *(section for *_, section in sections),
        ),
        tag("footer", f"Made by mlebench on {summary.created_at:%d %B %Y at %H:%M %Z}."),
    )


def _sections(summary: Summary, run_pages: Mapping[RunKey, str]) -> Iterator[tuple[str, str, Html]]:
    """Yield the sections with their ids and the words of links to them."""
    yield "results", "Results", main_section(summary)
    curves = curve_section(summary)
    if curves is not None:
        yield "curves", "Curves", curves
    yield "medals", "Medals", medal_section(summary, run_pages)
    for name, title in SHOWN.items():
        several = len(summary.agents) > 1 or name not in ("sides", "comparisons")
        section = table_section(TABLES[name](summary)) if several else None
        if section is not None:
            yield f"table-{name}", title, section
    yield "competitions", "Competitions", competition_sections(summary)
    if summary.runs <= MOST_RUNS:
        yield "runs", "Runs", run_section(summary, run_pages)
    else:
        note = f"The table of {summary.runs} runs is too long for a page; report.json and the table “runs” have it."
        yield "runs", "Runs", tag("section", tag("h2", "Runs", id="runs"), tag("p", note, class_="note"))
