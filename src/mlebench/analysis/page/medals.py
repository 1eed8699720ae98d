"""The outcome of every run at a glance: one row per competition, one column per agent and seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.analysis.outcomes import mark_of, marks_in
from mlebench.analysis.page.markup import Html, join, table, tag
from mlebench.analysis.wording import format_score
from mlebench.ground.wording import format_ordinal, printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.analysis.model import CompetitionSummary, RunKey, RunResult, Summary


@dataclass(frozen=True, slots=True)
class _Column:
    """A seed of an agent."""

    agent: str
    seed: int
    is_first: bool
    """Whether it is the agent's first, which has a gap before it."""


def medal_section(summary: Summary, run_pages: Mapping[RunKey, str]) -> Html:
    """Return the table with its legend; its cells link to the pages of runs."""
    legend = join(
        tag("li", tag("span", mark.symbol, class_=f"mark {mark.name}", aria_hidden="true"), mark.meaning)
        for mark in marks_in(summary.all_runs())
    )
    agents = join(
        tag(
            "th",
            tag("bdi", printable(agent.agent, limit=200)),
            scope="colgroup",
            colspan=len(agent.seeds),
            class_="first",
        )
        for agent in summary.agents
    )
    columns = [
        _Column(agent.agent, seed, is_first=place == 0)
        for agent in summary.agents
        for place, seed in enumerate(agent.seeds)
    ]
    seeds = join(
        tag(
            "th",
            str(column.seed),
            scope="col",
            class_="first" if column.is_first else None,
            title=f"seed {column.seed}",
        )
        for column in columns
    )
    head = (tag("tr", tag("th", "Competition", scope="col", rowspan=2), agents), tag("tr", seeds))
    body = (_row(number, competition, columns, run_pages) for number, competition in enumerate(summary.competitions))
    return tag(
        "section",
        tag("h2", "Medals", id="medals"),
        tag("p", "The outcome of every run: one row per competition, one column per agent and seed.", class_="note"),
        tag("ul", legend, class_="legend", aria_label="Legend"),
        table("The outcome of every run", head, body, "heat"),
    )


def _row(number: int, competition: CompetitionSummary, columns: list[_Column], run_pages: Mapping[RunKey, str]) -> Html:
    runs = {(run.agent, run.seed): run for run in competition.runs}
    touched = competition.facts.problems if any(run.medal for run in competition.runs) else ()
    return tag(
        "tr",
        tag(
            "th",
            tag("a", printable(competition.competition), href=f"#competition-{number}"),
            tag("small", f" ⚑ {', '.join(touched)}", title="Known problems that touch a medal") if touched else None,
            scope="row",
        ),
        join(_cell(runs.get((column.agent, column.seed)), column, run_pages) for column in columns),
    )


def _cell(run: RunResult | None, column: _Column, run_pages: Mapping[RunKey, str]) -> Html:
    gap = " first" if column.is_first else ""
    if run is None:  # agents of different groups may have different competitions
        return tag("td", tag("span", "not planned", class_="unseen"), class_=f"none{gap}")
    mark = mark_of(run)
    page = run_pages.get(run.key)
    rank = f", {format_ordinal(run.rank)} of {run.teams}" if run.rank is not None else ""
    score = f", score {format_score(run.score)}" if run.valid else ""
    symbol = join((tag("span", mark.symbol, aria_hidden="true"), tag("span", mark.meaning, class_="unseen")))
    return tag(
        "td",
        tag("a", symbol, href=page) if page else symbol,
        class_=f"mark {mark.name}{gap}",
        title=printable(f"{run.agent}, seed {run.seed}: {mark.meaning}{score}{rank}"),
    )
