"""The table of all runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.marks import MARKS, Mark, mark_of
from mlebench.analysis.page.dossier import RunKey, key_of
from mlebench.analysis.page.markup import Html, join, table, tag
from mlebench.analysis.wording import NOTHING, duration_text, printable, score_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.analysis.report import Summary
    from mlebench.analysis.results import RunResult

_COLUMNS = ("Run", "Outcome", "Score", "Rank", "Percentile", "How it ended", "Time")
_NUMBERS = {"Score", "Rank", "Percentile", "Time"}


def run_section(summary: Summary, run_pages: Mapping[RunKey, str]) -> Html:
    """Return the table of all runs, with links to their pages; the script makes its headers sort, and adds a filter."""
    several_groups = len(summary.groups) > 1
    header = tag(
        "tr",
        join(tag("th", name, scope="col", class_="number" if name in _NUMBERS else None) for name in _COLUMNS),
    )
    return tag(
        "section",
        tag("h2", "Runs", id="runs"),
        tag(
            "p",
            "The percentile is the share of teams that the score is better than or equal to; the time is in"
            " hours, minutes and seconds.",
            class_="note",
        ),
        table(
            "Runs",
            [header],
            (_row(run, several_groups, run_pages.get(key_of(run))) for run in summary.all_runs()),
            "runs sortable",
        ),
    )


def _row(run: RunResult, several_groups: bool, page: str | None) -> Html:
    mark = mark_of(run)
    name = tag("bdi", printable(run.run_id, limit=300))
    return tag(
        "tr",
        tag(
            "th",
            tag("a", name, href=page) if page else name,
            tag("small", printable(run.run_group, limit=200)) if several_groups else None,
            scope="row",
        ),
        _outcome(run, mark),
        _number(run.score, score_text(run.score)),
        _number(run.rank, NOTHING if run.rank is None else str(run.rank)),
        _number(run.percentile, NOTHING if run.percentile is None else f"{run.percentile:.1f}"),
        _ending(run),
        _number(run.seconds, duration_text(run.seconds)),
    )


def _number(value: float | None, text: str) -> Html:
    return tag("td", text, class_="number", data_value="" if value is None else repr(value))


def _outcome(run: RunResult, mark: Mark) -> Html:
    rehearsal = " (rehearsal)" if run.is_rehearsal else ""
    sign = tag("span", mark.sign, class_=f"mark {mark.name}", aria_hidden="true")
    return tag(
        "td",
        _unfold(join((sign, f"{mark.meaning}{rehearsal}")), run.reason),
        data_value=str(MARKS.index(mark)),
    )


def _ending(run: RunResult) -> Html:
    if run.ending is None:
        return tag("td", NOTHING, data_value="")
    return tag("td", _unfold(join((run.ending.value,)), run.ending_detail), data_value=run.ending.value)


def _unfold(short: Html, long: str | None) -> Html:
    """Return a short text that unfolds into the longer one, where there is one."""
    if not long:
        return short
    return tag("details", tag("summary", short), tag("p", tag("bdi", printable(long))))
