"""How every run came out, at a glance: competitions down, agents and seeds across."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.marks import MARKS, mark_of
from mlebench.analysis.page.dossier import RunKey, key_of
from mlebench.analysis.page.markup import Html, join, table, tag
from mlebench.analysis.wording import printable, score_text
from mlebench.ground.wording import format_ordinal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.analysis.report import CompetitionSummary, Summary
    from mlebench.analysis.results import RunResult


def medal_section(summary: Summary, run_pages: Mapping[RunKey, str]) -> Html:
    """Return the heat table with its legend; its cells link to the pages of runs."""
    shown = {mark_of(run).name for run in summary.all_runs()}
    legend = join(
        tag("li", tag("span", mark.sign, class_=f"mark {mark.name}", aria_hidden="true"), mark.meaning)
        for mark in MARKS
        if mark.name in shown
    )
    columns = [(agent.agent, agent.seeds) for agent in summary.agents]
    header = (
        tag(
            "tr",
            tag("th", "Competition", scope="col", rowspan=2),
            join(
                tag(
                    "th",
                    tag("bdi", printable(agent, limit=200)),
                    scope="colgroup",
                    colspan=len(seeds),
                    class_="first",
                )
                for agent, seeds in columns
            ),
        ),
        tag(
            "tr",
            join(
                tag("th", str(seed), scope="col", class_="first" if first else None, title=f"seed {seed}")
                for _, seeds in columns
                for first, seed in _with_first(seeds)
            ),
        ),
    )
    body = (_row(number, competition, columns, run_pages) for number, competition in enumerate(summary.competitions))
    return tag(
        "section",
        tag("h2", "Medals", id="medals"),
        tag(
            "p",
            "How every run came out: competitions down, agents and their seeds across.",
            class_="note",
        ),
        tag("ul", legend, class_="legend", aria_label="Legend"),
        table("How every run came out", header, body, "heat"),
    )


def _with_first(seeds: tuple[int, ...]) -> list[tuple[bool, int]]:
    return [(index == 0, seed) for index, seed in enumerate(seeds)]


def _row(
    number: int,
    competition: CompetitionSummary,
    columns: list[tuple[str, tuple[int, ...]]],
    run_pages: Mapping[RunKey, str],
) -> Html:
    runs = {(run.agent, run.seed): run for cell in competition.cells for run in cell.runs}
    touched = competition.facts.problems if any(run.medal for run in runs.values()) else ()
    return tag(
        "tr",
        tag(
            "th",
            tag("a", printable(competition.competition), href=f"#competition-{number}"),
            tag("small", f" ⚑ {', '.join(touched)}", title="Known problems that touch a medal") if touched else None,
            scope="row",
        ),
        join(
            _cell(runs.get((agent, seed)), first, run_pages)
            for agent, seeds in columns
            for first, seed in _with_first(seeds)
        ),
    )


def _cell(run: RunResult | None, first: bool, run_pages: Mapping[RunKey, str]) -> Html:
    edge = " first" if first else ""
    if run is None:  # agents of different groups need not share their competitions
        return tag("td", tag("span", "not planned", class_="unseen"), class_=f"none{edge}")
    mark = mark_of(run)
    page = run_pages.get(key_of(run))
    place = f", {format_ordinal(run.rank)} of {run.teams}" if run.rank is not None else ""
    score = f", score {score_text(run.score)}" if run.valid else ""
    sign = join((tag("span", mark.sign, aria_hidden="true"), tag("span", mark.meaning, class_="unseen")))
    return tag(
        "td",
        tag("a", sign, href=page) if page else sign,
        class_=f"mark {mark.name}{edge}",
        title=printable(f"{run.agent}, seed {run.seed}: {mark.meaning}{score}{place}"),
    )
