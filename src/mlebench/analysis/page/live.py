"""The live page: what goes on right now, and the medals so far. It renews itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.marks import mark_of
from mlebench.analysis.page.document import document
from mlebench.analysis.page.dossier import RunKey, key_of
from mlebench.analysis.page.markup import Html, join, tag
from mlebench.analysis.page.overview import caveat_box, main_section, page_title
from mlebench.analysis.wording import duration_text, printable, score_text
from mlebench.ground.wording import count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mlebench.analysis.live.progress import Going, Progress
    from mlebench.analysis.report import Summary
    from mlebench.analysis.results import RunResult

MOST_NAMED = 60
"""Runs of the queue that are named."""


def render_live(summary: Summary, progress: Progress, run_pages: Mapping[RunKey, str], report: str) -> str:
    """Return the live page; `report` and `run_pages` are links."""
    title = page_title(summary)
    return document(
        f"{progress.done} of {progress.runs}: {title}",
        tag(
            "header",
            tag("p", "mlebench · Live", class_="kind"),
            tag("h1", title),
            tag("p", f"{progress.done} of {count(progress.runs, 'run')} done.", class_="lead", role="status"),
            _bar(progress),
            tag("p", tag("a", "The whole report so far", href=report), class_="note"),
        ),
        tag(
            "main",
            _going(progress, run_pages),
            _listed("latest", "Just done", progress.latest, run_pages),
            _listed("ungraded", "Ended, not graded yet", progress.ungraded, run_pages),
            _listed("queue", "Queue", progress.waiting, run_pages),
            main_section(summary) if summary.runs_finished else None,
            caveat_box(summary),
        ),
        tag("footer", f"As of {summary.created_at:%H:%M:%S %Z}; renewed every few seconds."),
        scripts=("live.js",),
        live=True,
    )


def render_trouble(sentence: str) -> str:
    """Return the page that stands there as long as something cannot be read."""
    return document(
        "mlebench · Live",
        tag("header", tag("p", "mlebench · Live", class_="kind"), tag("h1", "This cannot be shown now")),
        tag("main", tag("p", printable(sentence), class_="lead")),
        tag("footer", "Tried again every few seconds."),
        scripts=("live.js",),
        live=True,
    )


def _bar(progress: Progress) -> Html:
    share = 100 * progress.done / max(progress.runs, 1)
    return tag(
        "svg",
        tag("rect", class_="whole", width="100%", height="100%"),
        tag("rect", class_="done", width=f"{share:.2f}%", height="100%"),
        class_="bar",
        role="img",
        aria_label=f"{share:.0f} % done",
    )


def _going(progress: Progress, run_pages: Mapping[RunKey, str]) -> Html:
    content = join(_one(going, run_pages) for going in progress.going)
    nothing = tag("p", "No run goes on.", class_="note")
    return tag("section", tag("h2", "Going on", id="going"), content or nothing)


def _one(going: Going, run_pages: Mapping[RunKey, str]) -> Html:
    return tag(
        "article",
        tag("h3", _name(going.run, run_pages)),
        tag("p", tag("span", f"for {duration_text(going.seconds)}"), class_="facts"),
        tag(
            "ol",
            join(
                tag(
                    "li",
                    tag("span", "" if told.seconds is None else duration_text(told.seconds), class_="at"),
                    " ",
                    tag("bdi", told.sentence),
                    class_="flagged" if told.flagged else None,
                )
                for told in going.events
            ),
            class_="story",
        ),
        class_="going",
    )


def _listed(id: str, title: str, runs: Sequence[RunResult], run_pages: Mapping[RunKey, str]) -> Html | None:
    if not runs:
        return None
    more = len(runs) - MOST_NAMED
    items = (tag("li", _mark(run), _name(run, run_pages)) for run in runs[:MOST_NAMED])
    return tag(
        "section",
        tag("h2", f"{title} ({len(runs)})", id=id),
        tag("ul", join(items), class_="queue"),
        tag("p", f"And {count(more, 'more run')}.", class_="note") if more > 0 else None,
    )


def _mark(run: RunResult) -> Html | None:
    if not run.finished:
        return None
    mark = mark_of(run)
    said = f"{mark.meaning}, score {score_text(run.score)}" if run.valid else mark.meaning
    return tag("span", mark.sign, class_=f"mark {mark.name}", title=said)


def _name(run: RunResult, run_pages: Mapping[RunKey, str]) -> Html:
    name, page = tag("bdi", printable(run.run_id, limit=300)), run_pages.get(key_of(run))
    return tag("a", name, href=page) if page else name
