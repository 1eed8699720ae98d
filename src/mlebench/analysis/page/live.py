"""The progress page: which runs are in progress, done and waiting, and the medals so far. It updates itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.outcomes import mark_of
from mlebench.analysis.page.document import document
from mlebench.analysis.page.markup import Html, join, tag
from mlebench.analysis.page.overview import caveat_box, main_section, page_title
from mlebench.analysis.page.run import event_list
from mlebench.analysis.wording import format_score, format_time
from mlebench.ground.wording import count, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mlebench.analysis.live.progress import Progress, RunningRun
    from mlebench.analysis.model import RunKey, RunResult, Summary

MAX_NAMES = 60
"""Runs of a list that are named."""


def render_live(summary: Summary, progress: Progress, run_pages: Mapping[RunKey, str], report: str) -> str:
    """Return the progress page.

    Parameters
    ----------
    summary : Summary
        The report so far.
    progress : Progress
        The state of all runs.
    run_pages : mapping
        Links to the pages of runs.
    report : str
        Link to the report.
    """
    title = page_title(summary)
    return document(
        f"{progress.done} of {progress.runs}: {title}",
        tag(
            "header",
            tag("p", "mlebench · Live", class_="kind"),
            tag("h1", title),
            tag("p", f"{progress.done} of {count(progress.runs, 'run')} done.", class_="lead", role="status"),
            _bar(progress),
            tag("p", tag("a", "The report so far", href=report), class_="note"),
        ),
        tag(
            "main",
            _running_section(progress, run_pages),
            _list("latest", "Latest", progress.latest, run_pages),
            _list("ungraded", "Ended, not graded yet", progress.ungraded, run_pages),
            _list("queue", "Queue", progress.waiting, run_pages),
            main_section(summary) if summary.runs_finished else None,
            caveat_box(summary),
        ),
        tag("footer", f"As of {summary.created_at:%H:%M:%S %Z}; updated every few seconds."),
        scripts=("live.js",),
        live=True,
    )


def render_error(message: str) -> str:
    """Return the page that is shown while the sources cannot be read."""
    return document(
        "mlebench · Live",
        tag("header", tag("p", "mlebench · Live", class_="kind"), tag("h1", "The runs cannot be read")),
        tag("main", tag("p", printable(message), class_="lead")),
        tag("footer", "The next attempt is in a few seconds."),
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


def _running_section(progress: Progress, run_pages: Mapping[RunKey, str]) -> Html:
    content = join(_running(running, run_pages) for running in progress.running)
    nothing = tag("p", "No run is in progress.", class_="note")
    return tag("section", tag("h2", "In progress", id="running"), content or nothing)


def _running(running: RunningRun, run_pages: Mapping[RunKey, str]) -> Html:
    return tag(
        "article",
        tag("h3", _name(running.run, run_pages)),
        tag("p", tag("span", f"for {format_time(running.seconds)}"), class_="facts"),
        event_list(running.events),
    )


def _list(id: str, title: str, runs: Sequence[RunResult], run_pages: Mapping[RunKey, str]) -> Html | None:
    if not runs:
        return None
    more = len(runs) - MAX_NAMES
    items = (tag("li", _mark(run), _name(run, run_pages)) for run in runs[:MAX_NAMES])
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
    title = f"{mark.meaning}, score {format_score(run.score)}" if run.valid else mark.meaning
    return tag("span", mark.symbol, class_=f"mark {mark.name}", title=title)


def _name(run: RunResult, run_pages: Mapping[RunKey, str]) -> Html:
    name, page = tag("bdi", printable(run.run_id, limit=300)), run_pages.get(run.key)
    return tag("a", name, href=page) if page else name
