"""The page of one run: verdict and thresholds, what it submitted on its way, its story, log and code."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from mlebench.analysis.curves import read_curve
from mlebench.analysis.marks import mark_of
from mlebench.analysis.page.competitions import threshold_facts
from mlebench.analysis.page.document import document
from mlebench.analysis.page.markup import Html, join, table, tag
from mlebench.analysis.page.strip import leaderboard_axis, strip
from mlebench.analysis.remains import read_remains
from mlebench.analysis.wording import NOTHING, duration_text, printable, score_text
from mlebench.errors import ReportError
from mlebench.ground.wording import count, format_binary_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.analysis.remains import Piece, Told
    from mlebench.analysis.report import CompetitionSummary, Summary
    from mlebench.analysis.results import RunResult
    from mlebench.runs.record import CurvePoint

FOLDER = "report_files"
"""Where the pages of runs lie, beside the report."""
MOST_POINTS = 60
_UNFIT = re.compile(r"[^A-Za-z0-9@._-]")

RunKey = tuple[str, str, int]


def key_of(run: RunResult) -> RunKey:
    """Return what no two runs of a report share."""
    return run.agent, run.competition, run.seed


def page_names(summary: Summary) -> dict[RunKey, str]:
    """Return a file name for each run that has a folder: its id where that is fit for one and no other run has it."""
    names: dict[RunKey, str] = {}
    taken: set[str] = set()
    for run in summary.all_runs():
        if run.folder is None or not run.attempts:
            continue
        name = _UNFIT.sub("-", run.run_id)[:150].lstrip(".") or "run"
        if name != run.run_id or name.casefold() in taken:
            digest = hashlib.sha256("\n".join((run.run_group, *map(str, key_of(run)))).encode()).hexdigest()
            name = f"{name}-{digest[:12]}"
        taken.add(name.casefold())
        names[key_of(run)] = f"{name}.html"
    return names


def find_run(summary: Summary, key: RunKey) -> tuple[CompetitionSummary, RunResult] | None:
    """Return a run with its competition."""
    for competition in summary.competitions:
        if competition.competition == key[1]:
            for cell in competition.cells:
                for run in cell.runs:
                    if key_of(run) == key:
                        return competition, run
    return None


def render_run(competition: CompetitionSummary, run: RunResult, back: str = "../report.html") -> str:
    """Return the page of a run; what lies in its folder is read now, within bounds."""
    return document(
        printable(run.run_id, limit=200),
        tag(
            "header",
            tag("p", tag("a", "← The report", href=back), class_="kind"),
            tag("h1", printable(run.run_id, limit=300)),
            tag("p", _lead(run), class_="lead"),
            tag("dl", join(tag("div", tag("dt", name), tag("dd", fact)) for name, fact in _facts(run).items() if fact)),
        ),
        tag("main", _verdict(competition, run), _way(run), *_remains(run)),
        scripts=(),
    )


def _lead(run: RunResult) -> str:
    rehearsal = "Rehearsal, not a result: " if run.is_rehearsal else ""
    if not run.finished or run.outcome is None:
        return f"{rehearsal}{run.reason or 'Not finished.'}"
    place = f", place {run.rank} of {run.teams}" if run.rank is not None else ""
    score = f", score {score_text(run.score)}" if run.valid else ""
    return f"{rehearsal}{mark_of(run).meaning.capitalize()}{score}{place}."


def _facts(run: RunResult) -> dict[str, str]:
    usage = run.usage
    ending = f"{run.ending}: {run.ending_detail}" if run.ending and run.ending_detail else str(run.ending or "")
    facts = {
        "Agent": run.agent,
        "Competition": run.competition,
        "Seed": str(run.seed),
        "Group": run.run_group,
        "Attempt": str(run.attempts),
        "How it ended": ending,
        "Time": "" if run.seconds is None else duration_text(run.seconds),
        "Models": f"{count(usage.requests, 'request')}, {usage.input_tokens} + {usage.output_tokens} tokens"
        if usage
        else "",
        "Money": f"{usage.money:.2f} US dollars" if usage and usage.money is not None else "",
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
        tag("div", strip([run], teams), leaderboard_axis(teams), class_="place") if teams else None,
    )


def _way(run: RunResult) -> Html | None:
    """Return the submissions that were in place on the way."""
    try:
        curve = read_curve(run)
    except ReportError as error:
        return tag("section", tag("h2", "On the way", id="way"), tag("p", printable(str(error)), class_="note"))
    if curve is None or not curve.points:
        return None
    points = curve.points
    step = -(-len(points) // MOST_POINTS)
    shown = points[(len(points) - 1) % step :: step]
    names = ("Time", "Outcome", "Score", "Tokens", "US dollars")
    header = tag(
        "tr", join(tag("th", name, scope="col", class_=None if name == "Outcome" else "number") for name in names)
    )
    return tag(
        "section",
        tag("h2", "On the way", id="way"),
        tag(
            "p",
            f"Submissions that were in place for a while: {count(points, 'submission')}"
            f"{'' if step == 1 else f', of which {len(shown)} are shown'}.",
            class_="note",
        ),
        table("Submissions on the way", [header], map(_point, shown), "way"),
    )


def _point(point: CurvePoint) -> Html:
    usage = point.usage
    money = usage.money if usage else None
    cells = (
        duration_text(point.seconds),
        f"{point.medal} medal" if point.medal else str(point.outcome),
        score_text(point.score),
        NOTHING if usage is None else str(usage.input_tokens + usage.output_tokens),
        NOTHING if money is None else f"{money:.2f}",
    )
    return tag("tr", join(tag("td", cell, class_=None if place == 1 else "number") for place, cell in enumerate(cells)))


def _remains(run: RunResult) -> Sequence[Html | None]:
    if run.folder is None or not run.attempts:
        return ()
    found = read_remains(run.folder, run.attempts)
    files = [_file(piece) for piece in found.code]
    if found.more_code:
        files.append(tag("p", "There are further files, which are not named here.", class_="note"))
    return (
        _section("submission", "Submission", _text(found.submission)),
        _section("story", "Story", tag("ol", join(map(_told, found.story)), class_="story") if found.story else None),
        _section("log", "Log", _text(found.log)),
        _section("code", "Code", join(files) if files else None),
        _section("instructions", "Instructions", _text(found.instructions)),
    )


def _section(id: str, title: str, content: Html | None) -> Html:
    return tag("section", tag("h2", title, id=id), content or tag("p", "There is none.", class_="note"))


def _told(told: Told) -> Html:
    at = tag("span", "" if told.seconds is None else duration_text(told.seconds), class_="at")
    return tag("li", at, " ", tag("bdi", told.sentence), class_="flagged" if told.flagged else None)


def _text(piece: Piece | None) -> Html | None:
    if piece is None:
        return None
    size = f"{piece.name}: {piece.part + ' of ' if piece.part else ''}{format_binary_size(piece.size)}"
    note = tag("p", tag("bdi", size), class_="note")
    return join((note, tag("pre", piece.text, tabindex=0))) if piece.text else note


def _file(piece: Piece) -> Html:
    label = f"{piece.name} ({piece.part + ' of ' if piece.part else ''}{format_binary_size(piece.size)})"
    if piece.text is None:
        return tag("p", tag("bdi", label), class_="file")
    return tag("details", tag("summary", tag("bdi", label)), tag("pre", piece.text, tabindex=0), class_="file")
