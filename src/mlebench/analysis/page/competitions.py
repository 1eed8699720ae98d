"""A section for each competition: thresholds, and where each run lands among the teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.page.distribution import distribution
from mlebench.analysis.page.markup import Html, join, table, tag
from mlebench.analysis.page.strip import leaderboard_axis, scores_text, strip
from mlebench.analysis.wording import printable, score_text
from mlebench.ground.wording import count

if TYPE_CHECKING:
    from mlebench.analysis.report import CellSummary, CompetitionSummary, Summary
    from mlebench.analysis.tasks import LeaderboardShape


def competition_sections(summary: Summary) -> Html:
    """Return all competitions."""
    shapes = {task.competition: task.shape for task in summary.tasks}
    return tag(
        "section",
        tag("h2", "Competitions", id="competitions"),
        tag(
            "p",
            "Each circle is a run, placed by its rank on the private leaderboard: the first place at the"
            " right, on a logarithmic scale. The bands are gold, silver, bronze, above and below the median.",
            class_="note",
        ),
        join(
            _article(number, competition, shapes.get(competition.competition))
            for number, competition in enumerate(summary.competitions)
        ),
    )


def _article(number: int, competition: CompetitionSummary, shape: LeaderboardShape | None) -> Html:
    teams = competition.teams
    axis = None
    if teams:
        axis = tag(
            "tr",
            tag("th", "Place", scope="row"),
            tag("td", leaderboard_axis(teams)),
            tag("td", colspan=3),
            class_="axis",
        )
    header = tag(
        "tr",
        tag("th", "Agent", scope="col"),
        tag("th", "Place on the leaderboard", scope="col"),
        tag("th", "Score of each seed", scope="col", class_="number"),
        tag("th", "Mean ± SEM", scope="col", class_="number"),
        tag("th", "Best", scope="col", class_="number"),
    )
    name = printable(competition.competition)
    return tag(
        "article",
        tag("h3", name, id=f"competition-{number}"),
        tag("p", threshold_facts(competition), class_="facts"),
        table(f"Runs in {name}", [header], [*(_row(cell, teams) for cell in competition.cells), axis], "places"),
        _among_teams(competition, shape),
    )


def _among_teams(competition: CompetitionSummary, shape: LeaderboardShape | None) -> Html | None:
    drawing = distribution(competition, shape) if shape else None
    if drawing is None:
        return None
    note = (
        "Percent of teams with at most each score, better scores at the right; without the worst fifth of the teams."
        " Lines: median, bronze, silver, gold. Circles: runs."
    )
    return tag("details", tag("summary", "Among the scores of all teams"), drawing, tag("p", note), class_="among")


def threshold_facts(competition: CompetitionSummary) -> Html:
    """Return what a competition's medals take, in one line."""
    at = competition.thresholds
    if at is None or competition.teams is None:
        return tag("span", "No run is graded yet.")
    sign = "≤" if competition.lower_is_better else "≥"
    strictly = "<" if competition.lower_is_better else ">"
    who = "model" if competition.leaderboard == "models" else "team"
    left_out = None if competition.counted else tag("span", "not in the means")
    problems = ", ".join(competition.facts.problems)
    return join(
        (
            tag("span", f"{'lower' if competition.lower_is_better else 'higher'} is better"),
            tag("span", count(competition.teams, who)),
            *(
                tag("span", tag("b", name, class_=name), f" {sign} {score_text(score)}")
                for name, score in (("gold", at.gold), ("silver", at.silver), ("bronze", at.bronze))
            ),
            tag("span", tag("b", "above median"), f" {strictly} {score_text(at.median)}"),
            tag("span", f"⚑ known problems: {problems}") if problems else None,
            left_out,
        ),
        " ",
    )


def _row(cell: CellSummary, teams: int | None) -> Html:
    error = f" ± {score_text(cell.score.sem, 2)}" if cell.score.sem is not None else ""
    return tag(
        "tr",
        tag("th", tag("bdi", printable(cell.agent, limit=200)), scope="row"),
        tag("td", strip(cell.runs, teams) if teams else None),
        tag("td", scores_text(cell.runs), class_="number seeds"),
        tag("td", f"{score_text(cell.score.mean, 5)}{error}", class_="number"),
        tag("td", score_text(cell.best_score, 5), class_="number"),
    )
