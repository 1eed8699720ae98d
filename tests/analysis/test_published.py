"""Published results, reproduced to the printed digit."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mlebench.analysis.grading_reports import GradedRow, GradingReport
from mlebench.analysis.model import Rate, Rule
from mlebench.analysis.sources import Sources, read_sources
from mlebench.analysis.standings import differing_thresholds
from mlebench.analysis.summary import summarize
from mlebench.tasks.registry import registry

if TYPE_CHECKING:
    from mlebench.analysis.model import Summary

PUBLISHED = Path(__file__).parent / "published"

# Percent of competitions with any medal: low, medium, high, all.
ROWS = {
    "disarray": (90.91, 72.81, 71.11, 77.78),
    "aira-dojo": (55.00, 21.97, 21.67, 31.60),
    "deepseek-r1-ML-Master": (48.48, 20.18, 24.44, 29.33),
    "deepseek-v3.2-speciale-ML-Master-2.0": (75.76, 50.88, 42.22, 56.44),
    "multi-agent-Neo": (48.48, 29.82, 24.44, 34.22),
    "deepseek-r1-InternAgent": (62.12, 26.32, 24.44, 36.44),
    "Thesis": (65.15, 45.61, 31.11, 48.44),
    "MLE-STAR-Pro-1.0": (66.67, 25.44, 31.11, 38.67),
    "MLE-STAR-Pro-1.5": (68.18, 34.21, 33.33, 44.00),
    "gpt-5-R&D-Agent": (68.18, 21.05, 22.22, 35.11),
    "o3-gpt-4.1-R&D-Agent": (51.52, 19.30, 26.67, 30.22),
}


@pytest.fixture(scope="module")
def famou() -> Summary:
    sources = read_sources([f"famou={PUBLISHED}"])
    return summarize(sources, registry=registry)


def by_complexity(summary: Summary) -> dict[str, tuple[float, float]]:
    (breakdown,) = (found for found in summary.breakdowns if found.by == "complexity")
    parts = {part.label: part.agents[0] for part in breakdown.parts} | {"all": summary.agents[0]}
    medals = {label: agent.rates[Rate.ANY_MEDAL] for label, agent in parts.items()}
    return {label: (round(at.mean or 0, 2), round(at.sem or 0, 2)) for label, at in medals.items()}


def test_three_reports_give_their_published_row(famou: Summary) -> None:
    (agent,) = famou.agents
    assert (agent.agent, agent.rule, agent.seeds_counted) == ("famou", Rule.COMPLETE, (0, 1, 2))
    assert by_complexity(famou) == {
        "low": (62.12, 1.52),
        "medium": (36.84, 1.52),
        "high": (33.33, 0.00),
        "all": (43.56, 0.89),
    }
    assert {rate: (round(at.mean or 0, 2), round(at.sem or 0, 2)) for rate, at in agent.rates.items()} == {
        Rate.SUBMITTED: (98.67, 0.77),
        Rate.VALID: (96.89, 1.18),
        Rate.ABOVE_MEDIAN: (51.56, 1.18),
        Rate.BRONZE: (8.44, 0.44),
        Rate.SILVER: (12.44, 1.94),
        Rate.GOLD: (22.67, 0.77),
        Rate.ANY_MEDAL: (43.56, 0.89),
    }


def test_totals_that_rows_contradict_are_named(famou: Summary) -> None:
    said = [sentence for sentence in famou.caveats if " claims " in sentence]
    assert [sentence.split("claims ")[1] for sentence in said] == [
        "75 runs with submissions, but its rows have 73: the rows count.",
        "75 runs with submissions, but its rows have 74: the rows count.",
    ]


def test_thresholds_of_reports_are_those_of_the_leaderboards_here() -> None:
    assert differing_thresholds(read_sources([str(PUBLISHED)]).reports, registry) == []


def counted(experiment: str) -> GradingReport:
    """Return a report with as many medals in each competition as the table of counts has."""
    rows = []
    with (PUBLISHED / "medal_counts.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            if row["experiment"] == experiment:
                medals, seeds = int(float(row["medals"])), int(row["seeds"])
                for place in range(seeds):
                    flags = {"above_median": place < medals, "gold_medal": place < medals}
                    rows.append(
                        GradedRow(
                            competition_id=row["competition_id"],
                            submission_exists=True,
                            valid_submission=True,
                            silver_medal=False,
                            bronze_medal=False,
                            **flags,
                        )
                    )
    return GradingReport(agent=experiment, name=experiment, totals={}, rows=tuple(rows))


@pytest.mark.parametrize("experiment", ROWS)
def test_counts_of_medals_give_published_rows(experiment: str) -> None:
    summary = summarize(Sources(reports=(counted(experiment),)), registry=registry)
    assert tuple(mean for mean, _ in by_complexity(summary).values()) == ROWS[experiment]


def test_complete_seeds_are_those_that_were_published() -> None:
    """This experiment has up to 21 attempts at a competition; the published row is over 20, 19, 20 and 19."""
    summary = summarize(Sources(reports=(counted("models-o1-preview-aide"),)), registry=registry)
    (breakdown,) = (found for found in summary.breakdowns if found.by == "complexity")
    seeds = {part.label: len(part.agents[0].seeds_counted) for part in breakdown.parts}
    assert seeds | {"all": len(summary.agents[0].seeds_counted)} == {"low": 20, "medium": 19, "high": 20, "all": 19}
    assert summary.agents[0].runs_left_over == summary.runs - 19 * 75
    assert any("left over" in sentence for sentence in summary.caveats)


def test_missing_runs_count_as_failures_on_request() -> None:
    with (PUBLISHED / "medal_counts.csv").open(newline="") as file:
        medals: dict[str, float] = defaultdict(float)
        for row in csv.DictReader(file):
            medals[row["experiment"]] += float(row["medals"])
    for experiment, seeds in (("mlevolve", 3), ("loongflow", 3), ("Leeroo", 3), ("operand-ensemble", 3)):
        summary = summarize(
            Sources(reports=(counted(experiment),)),
            registry=registry,
            competitions=registry.get_split("all"),
            pad_missing=True,
        )
        (agent,) = summary.agents
        assert (agent.rule, len(agent.competitions), len(agent.seeds_counted)) == (Rule.PADDED, 75, seeds)
        assert agent.rates[Rate.ANY_MEDAL].mean == pytest.approx(100 * medals[experiment] / seeds / 75)
        assert agent.runs_padded == 75 * seeds - summary.runs
