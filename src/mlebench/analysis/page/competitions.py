"""One section per competition: thresholds, and where each run ranks among the teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.page.distribution import distribution
from mlebench.analysis.page.leaderboard import leaderboard_axis, leaderboard_strip, seed_scores
from mlebench.analysis.page.markup import Html, header_row, join, table, tag
from mlebench.analysis.wording import format_score
from mlebench.ground.wording import count, printable

if TYPE_CHECKING:
    from mlebench.analysis.model import CellSummary, CompetitionSummary, LeaderboardShape, Summary

NUMBERS = {"Score of each seed", "Mean ± SEM", "Best"}
HEADINGS = ("Agent", "Place on the leaderboard", "Score of each seed", "Mean ± SEM", "Best")


def competition_sections(summary: Summary) -> Html:
    """Return all competitions."""
    shapes = {task.competition: task.shape for task in summary.tasks}
    return tag(
        "section",
        tag("h2", "Competitions", id="competitions"),
        tag(
            "p",
            "Each circle is a run, placed by its rank on the private leaderboard, with the first place on the right"
            " and a logarithmic scale. The bands are gold, silver, bronze, above and below the median.",
            class_="note",
        ),
        join(
            _article(number, competition, shapes.get(competition.competition))
            for number, competition in enumerate(summary.competitions)
        ),
    )


def _article(number: int, competition: CompetitionSummary, shape: LeaderboardShape | None) -> Html:
    teams = competition.teams
    rows = [_row(cell, teams) for cell in competition.cells]
    if teams:
        axis = (tag("th", "Place", scope="row"), tag("td", leaderboard_axis(teams)), tag("td", colspan=3))
        rows.append(tag("tr", *axis, class_="axis"))
    name = printable(competition.competition)
    return tag(
        "article",
        tag("h3", name, id=f"competition-{number}"),
        tag("p", threshold_facts(competition), class_="facts"),
        table(f"Runs in {name}", [header_row(HEADINGS, NUMBERS)], rows, "places"),
        _distribution(competition, shape),
    )


def _distribution(competition: CompetitionSummary, shape: LeaderboardShape | None) -> Html | None:
    plot = distribution(competition, shape) if shape else None
    if plot is None:
        return None
    note = (
        "Percent of teams with at most each score; better scores are on the right, and the worst fifth of the teams is"
        " left out. Lines: median, bronze, silver, gold. Circles: runs."
    )
    return tag("details", tag("summary", "Among the scores of all teams"), plot, tag("p", note), class_="among")


def threshold_facts(competition: CompetitionSummary) -> Html:
    """Return the thresholds of a competition, its teams and its known problems, in one line."""
    at = competition.thresholds
    if at is None or competition.teams is None:
        return tag("span", "No run is graded yet.")
    direction, at_least, better = ("lower", "≤", "<") if competition.lower_is_better else ("higher", "≥", ">")
    medals = (("gold", at.gold), ("silver", at.silver), ("bronze", at.bronze))
    problems = ", ".join(competition.facts.problems)
    return join(
        (
            tag("span", f"{direction} is better"),
            tag("span", count(competition.teams, "model" if competition.leaderboard == "models" else "team")),
            *(tag("span", tag("b", name, class_=name), f" {at_least} {format_score(score)}") for name, score in medals),
            tag("span", tag("b", "above median"), f" {better} {format_score(at.median)}"),
            tag("span", f"⚑ known problems: {problems}") if problems else None,
            None if competition.counted else tag("span", "not in the means"),
        ),
        " ",
    )


def _row(cell: CellSummary, teams: int | None) -> Html:
    error = f" ± {format_score(cell.score.sem, 2)}" if cell.score.sem is not None else ""
    return tag(
        "tr",
        tag("th", tag("bdi", printable(cell.agent, limit=200)), scope="row"),
        tag("td", leaderboard_strip(cell.runs, teams) if teams else None),
        tag("td", seed_scores(cell.runs), class_="number seeds"),
        tag("td", f"{format_score(cell.score.mean, 5)}{error}", class_="number"),
        tag("td", format_score(cell.best_score, 5), class_="number"),
    )
