from __future__ import annotations

import pytest

from mlebench.analysis.comparisons import MAX_IN_PAIRS, RATES
from mlebench.analysis.model import Rate
from mlebench.analysis.summary import summarize

from .records import BELOW, GOLD, make_scores, sources_of

TWO_AGENTS = {"aide": {"a": [0.99, 0.6, 0.99], "b": [0.4, 0.4, 0.96]}, "mlab": {"a": [0.4] * 3, "b": [None] * 3}}


def test_agents_are_compared_over_what_both_have() -> None:
    summary = summarize(sources_of(make_scores(TWO_AGENTS)))
    comparison = next(one for one in summary.comparisons if one.rate is Rate.ANY_MEDAL)
    assert (comparison.first, comparison.second, comparison.competitions) == ("aide", "mlab", 2)
    assert comparison.difference == pytest.approx(50)
    assert (comparison.better, comparison.worse, comparison.sign_p) == (2, 0, 0.5)


def test_agents_without_a_common_competition_are_not_compared() -> None:
    groups = make_scores({"aide": {"a": [GOLD]}}), make_scores({"mlab": {"b": [GOLD]}}, run_group="second")
    summary = summarize(sources_of(*groups))
    assert summary.comparisons == ()


@pytest.mark.parametrize(
    ("agents", "pairs"), [(1, 0), (2, 1), (3, 3), (MAX_IN_PAIRS, 15), (MAX_IN_PAIRS + 1, MAX_IN_PAIRS)]
)
def test_many_agents_are_compared_with_the_first_only(agents: int, pairs: int) -> None:
    scores: dict[str, dict[str, list[float | None]]] = {f"agent{n}": {"a": [GOLD], "b": [BELOW]} for n in range(agents)}
    comparisons = summarize(sources_of(make_scores(scores))).comparisons
    assert len({(one.first, one.second) for one in comparisons}) == pairs
    assert len(comparisons) == pairs * len(RATES)
