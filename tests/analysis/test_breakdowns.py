from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.model import Rate
from mlebench.analysis.summary import summarize
from mlebench.tasks.registry import registry

from .records import BELOW, GOLD, make_scores, sources_of

if TYPE_CHECKING:
    from mlebench.analysis.model import Breakdown


def breakdowns_of(*groups: dict[str, dict[str, list[float | None]]]) -> dict[str, Breakdown]:
    made = [make_scores(scores, run_group=f"group-{number}") for number, scores in enumerate(groups)]
    found = summarize(sources_of(*made), registry=registry, categories={"mine": "Mine"})
    return {breakdown.by: breakdown for breakdown in found.breakdowns}


def test_a_property_that_no_competition_has_is_no_breakdown() -> None:
    assert breakdowns_of({"aide": {"mine": [GOLD]}}).keys() == {"category"}


def test_each_part_has_the_results_of_its_competitions() -> None:
    found = breakdowns_of({"aide": {"mine": [GOLD, GOLD], "leaf-classification": [BELOW, BELOW]}})
    means = {part.label: part.agents[0].rates[Rate.GOLD].mean for part in found["category"].parts}
    assert means.pop("Mine") == 100
    assert list(means.values()) == [0]


def test_an_agent_is_only_in_the_parts_that_it_has_runs_in() -> None:
    found = breakdowns_of({"aide": {"leaf-classification": [GOLD]}}, {"mlab": {"mine": [GOLD]}})
    agents = {part.label: [agent.agent for agent in part.agents] for part in found["category"].parts}
    assert agents.pop("Mine") == ["mlab"]
    assert list(agents.values()) == [["aide"]]


def test_complexities_are_in_order_of_difficulty() -> None:
    low, medium, high = (registry.get_split(name)[0] for name in ("low", "medium", "high"))
    found = breakdowns_of({"aide": {high: [GOLD], low: [GOLD], medium: [GOLD]}})
    assert [part.label for part in found["complexity"].parts] == ["low", "medium", "high"]


def test_only_years_have_a_trend_and_one_year_has_no_correlation() -> None:
    found = breakdowns_of({"aide": {"leaf-classification": [GOLD]}})
    assert {name for name, breakdown in found.items() if breakdown.trends} == {"year"}
    (trend,) = found["year"].trends
    assert (trend.competitions, trend.correlation, trend.interval) == (1, None, None)
