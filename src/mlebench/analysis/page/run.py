"""The page of one run: verdict and thresholds, snapshots, submission, events, log and code."""

from __future__ import annotations

import hashlib
import logging
import re
from typing import TYPE_CHECKING

from mlebench.analysis.outcomes import mark_of
from mlebench.analysis.page.competitions import threshold_facts
from mlebench.analysis.page.document import document
from mlebench.analysis.page.leaderboard import leaderboard_axis, leaderboard_strip
from mlebench.analysis.page.markup import Html, facts_list, join, tag
from mlebench.analysis.page.tables import render_table
from mlebench.analysis.tables.table import Cell, Column, Table, number, whole
from mlebench.analysis.wording import format_score, format_time
from mlebench.errors import ReportError
from mlebench.ground.wording import count, format_binary_size, format_money, printable
from mlebench.runs.artifacts import EventText, FileText, read_artifacts
from mlebench.runs.reader import read_curve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mlebench.analysis.model import CompetitionSummary, RunKey, RunResult, Summary
    from mlebench.runs.record import CurvePoint

logger = logging.getLogger(__name__)

FOLDER = "report_files"
"""Folder of the pages of runs, beside the report."""
MAX_POINTS = 60
_UNSAFE = re.compile(r"[^A-Za-z0-9@._-]")


def name_run_pages(summary: Summary) -> dict[RunKey, str]:
    """Return a file name for each run with a folder: its id, or a name with a digest if the id is unsafe or taken."""
    names: dict[RunKey, str] = {}
    taken: set[str] = set()
    for run in summary.all_runs():
        if run.folder is None or not run.attempts:
            continue
        name = _UNSAFE.sub("-", run.run_id)[:150].lstrip(".") or "run"
        if name != run.run_id or name.casefold() in taken:
            digest = hashlib.sha256("\n".join((run.run_group, *map(str, run.key))).encode()).hexdigest()
            name = f"{name}-{digest[:12]}"
        taken.add(name.casefold())
        names[run.key] = f"{name}.html"
    return names


def find_run(summary: Summary, key: RunKey) -> tuple[CompetitionSummary, RunResult] | None:
    """Return a run with its competition."""
    for competition in summary.competitions:
        if competition.competition == key.competition:
            for run in competition.runs:
                if run.key == key:
                    return competition, run
    return None


def render_run(competition: CompetitionSummary, run: RunResult, back: str = "../report.html") -> str:
    """Return the page of a run.

    Parameters
    ----------
    competition : CompetitionSummary
        The run's competition.
    run : RunResult
        The run; its folder is read now, within the limits of `mlebench.runs.artifacts`. If that fails, the page says
        so: what one agent left must not end the report on the others.
    back : str
        Link to the report.
    """
    try:
        left: list[Html | None] = [_snapshots(run), *_artifacts(run)]
    except Exception as error:
        logger.exception("What the run %s left cannot be shown.", run.run_id)
        sentence = printable(f"This cannot be shown: {error!r}.", limit=500)
        left = [_section("left", "What the run left", tag("p", tag("bdi", sentence), class_="note"))]
    return document(
        printable(run.run_id, limit=200),
        tag(
            "header",
            tag("p", tag("a", "← The report", href=back), class_="kind"),
            tag("h1", printable(run.run_id, limit=300)),
            tag("p", _lead(run), class_="lead"),
            facts_list(_facts(run)),
        ),
        tag("main", _verdict(competition, run), *left),
        scripts=(),
    )


def _lead(run: RunResult) -> str:
    rehearsal = "Rehearsal, not a result: " if run.is_rehearsal else ""
    if not run.finished or run.outcome is None:
        return f"{rehearsal}{run.reason or 'Not finished.'}"
    rank = f", rank {run.rank} of {run.teams}" if run.rank is not None else ""
    score = f", score {format_score(run.score)}" if run.valid else ""
    return f"{rehearsal}{mark_of(run).meaning.capitalize()}{score}{rank}."


def _facts(run: RunResult) -> dict[str, str]:
    usage = run.usage
    facts = {
        "Agent": run.agent,
        "Competition": run.competition,
        "Seed": str(run.seed),
        "Group": run.run_group,
        "Attempt": str(run.attempts),
        "How it ended": ": ".join(filter(None, (run.ending, run.ending_detail))),
        "Time": "" if run.seconds is None else format_time(run.seconds),
        "Models": f"{count(usage.requests, 'request')}, {usage.input_tokens:,} + {usage.output_tokens:,} tokens"
        if usage
        else "",
        "Money": format_money(usage.money) if usage and usage.money is not None else "",
        "Data": run.data or "",
    }
    return {name: printable(fact, limit=500) for name, fact in facts.items()}


def _verdict(competition: CompetitionSummary, run: RunResult) -> Html:
    teams = competition.teams
    return tag(
        "section",
        tag("h2", "Verdict", id="verdict"),
        tag("p", tag("bdi", printable(run.reason)), class_="reason") if run.reason else None,
        tag("p", threshold_facts(competition), class_="facts"),
        tag("div", leaderboard_strip([run], teams), leaderboard_axis(teams), class_="place") if teams else None,
    )


def _outcome(point: CurvePoint) -> Cell:
    return Cell(f"{point.medal} medal" if point.medal else point.outcome)


def _tokens(point: CurvePoint) -> Cell:
    return whole(point.usage.input_tokens + point.usage.output_tokens if point.usage else None)


SNAPSHOT_COLUMNS: tuple[Column[CurvePoint], ...] = (
    Column("seconds", "After", lambda point: Cell(format_time(point.seconds)), "right"),
    Column("outcome", "Outcome", _outcome),
    Column("score", "Score", lambda point: Cell(format_score(point.score)), "right"),
    Column("tokens", "Tokens", _tokens, "right"),
    Column("dollars", "US dollars", lambda point: number(point.usage.money if point.usage else None, 2), "right"),
)


def _snapshots(run: RunResult) -> Html | None:
    """Return the graded snapshots of the submission."""
    try:
        curve = read_curve(run.folder, run.attempts) if run.folder else None
    except ReportError as error:
        return _section("snapshots", "Snapshots", tag("p", printable(str(error)), class_="note"))
    if curve is None or not curve.points:
        return None
    points = curve.points
    step = -(-len(points) // MAX_POINTS)
    shown = points[(len(points) - 1) % step :: step]
    more = "" if step == 1 else f"; {len(shown)} of them are shown"
    note = f"Earlier submissions, graded after the run: {count(points, 'snapshot')}{more}."
    table = Table("snapshots", "Snapshots", note, SNAPSHOT_COLUMNS, shown)
    return _section("snapshots", "Snapshots", join((tag("p", note, class_="note"), render_table(table, "snapshots"))))


def _artifacts(run: RunResult) -> Iterator[Html]:
    """Yield sections with what the run left in its folder."""
    if run.folder is None or not run.attempts:
        return
    found = read_artifacts(run.folder, run.attempts)
    more = tag("p", "There are more files, which are not listed here.", class_="note") if found.has_more_code else None
    yield _section("submission", "Submission", _text(found.submission))
    yield _section("events", "Events", event_list(found.events) if found.events else None)
    yield _section("log", "Log", _text(found.log))
    yield _section("code", "Code", join((*map(_code, found.code), more)))
    yield _section("instructions", "Instructions", _text(found.instructions))


def _section(id: str, title: str, content: Html | None) -> Html:
    return tag("section", tag("h2", title, id=id), content or tag("p", "There is none.", class_="note"))


def event_list(events: Iterable[EventText]) -> Html:
    """Return events as a list, each with its time."""
    return tag("ol", join(map(_event, events)), class_="events")


def _event(event: EventText) -> Html:
    at = tag("span", "" if event.seconds is None else format_time(event.seconds), class_="at")
    return tag("li", at, " ", tag("bdi", event.sentence), class_="flagged" if event.is_flagged else None)


def _describe_size(file: FileText) -> str:
    return f"{file.part + ' of ' if file.part else ''}{format_binary_size(file.size)}"


def _text(file: FileText | None) -> Html | None:
    if file is None:
        return None
    note = tag("p", tag("bdi", f"{file.name}: {_describe_size(file)}"), class_="note")
    return join((note, tag("pre", file.text, tabindex=0))) if file.text else note


def _code(file: FileText) -> Html:
    label = tag("bdi", f"{file.name} ({_describe_size(file)})")
    if file.text is None:
        return tag("p", label, class_="file")
    return tag("details", tag("summary", label), tag("pre", file.text, tabindex=0), class_="file")
