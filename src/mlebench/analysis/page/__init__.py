"""A report as one self-contained HTML file, and a page for each run.

markup        HTML that is escaped by construction
document      content policy, style and script of every page
overview      header, caveats, the main table
tables        any table as a section
plot          step plots
curves        medals and scores over what runs spend
medals        the outcome of every run
leaderboard   a plot: runs on a leaderboard
distribution  a plot: runs among the scores of all teams
competitions  one section per competition
runs          the table of all runs
run           the page of one run
live          progress
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mlebench.analysis.page.competitions import competition_sections
from mlebench.analysis.page.curves import curve_section
from mlebench.analysis.page.document import document
from mlebench.analysis.page.markup import Html, join, tag
from mlebench.analysis.page.medals import medal_section
from mlebench.analysis.page.overview import caveat_box, header, main_section, page_title
from mlebench.analysis.page.runs import run_section
from mlebench.analysis.page.tables import table_section
from mlebench.analysis.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mlebench.analysis.model import RunKey, Summary
    from mlebench.runs.reader import Group

LINKS = {
    "intervals": "Intervals",
    "problems": "Known problems",
    "comparisons": "Comparisons",
    "versions": "v1 and v2",
    "sides": "Side by side",
    "complexity": "Complexity",
    "category": "Category",
    "year": "Year",
    "passes": "Attempts",
    "tasks": "Tasks",
    "failures": "Failures",
    "usage": "Usage",
}
"""The tables with a section of their own, with the text of links to them."""
NEEDS_TWO_AGENTS = ("sides", "comparisons")


class _Section(NamedTuple):
    id: str
    link: str
    """Text of links to the section."""
    content: Html


def render_page(summary: Summary, groups: Sequence[Group] = (), run_pages: Mapping[RunKey, str] | None = None) -> str:
    """Return a report as one HTML page that opens from disk.

    Parameters
    ----------
    summary : Summary
        The report.
    groups : sequence of Group
        The groups that it is made from.
    run_pages : mapping, optional
        Links to the pages of runs.
    """
    sections = list(_sections(summary, run_pages or {})) if summary.runs else []
    links = join(tag("a", section.link, href=f"#{section.id}") for section in sections)
    return document(
        page_title(summary),
        header(summary, groups),
        tag(
            "main",
            caveat_box(summary),
            tag("nav", links, aria_label="Sections") if sections else None,
            *(section.content for section in sections),
        ),
        tag("footer", f"Made by mlebench on {summary.created_at:%d %B %Y at %H:%M %Z}."),
    )


def _sections(summary: Summary, run_pages: Mapping[RunKey, str]) -> Iterator[_Section]:
    yield _Section("results", "Results", main_section(summary))
    if curves := curve_section(summary):
        yield _Section("curves", "Curves", curves)
    yield _Section("medals", "Medals", medal_section(summary, run_pages))
    for name, link in LINKS.items():
        table = TABLES[name](summary)
        if table.rows and (len(summary.agents) > 1 or name not in NEEDS_TWO_AGENTS):
            yield _Section(f"table-{name}", link, table_section(table))
    yield _Section("competitions", "Competitions", competition_sections(summary))
    yield _Section("runs", "Runs", run_section(summary, run_pages))
