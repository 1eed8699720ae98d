from __future__ import annotations

import pytest

from mlebench.analysis.model import Rate
from mlebench.analysis.summary import summarize
from mlebench.grading.reports import Outcome

from ..records import ABOVE, BELOW, GOLD, SILVER, make_group, make_run, make_verdict, sources_of


@pytest.mark.parametrize(
    ("score", "outcome", "expected"),
    [
        (GOLD, Outcome.GRADED, {Rate.SUBMITTED, Rate.VALID, Rate.ABOVE_MEDIAN, Rate.GOLD, Rate.ANY_MEDAL}),
        (SILVER, Outcome.GRADED, {Rate.SUBMITTED, Rate.VALID, Rate.ABOVE_MEDIAN, Rate.SILVER, Rate.ANY_MEDAL}),
        (ABOVE, Outcome.GRADED, {Rate.SUBMITTED, Rate.VALID, Rate.ABOVE_MEDIAN}),
        (BELOW, Outcome.GRADED, {Rate.SUBMITTED, Rate.VALID}),
        (None, Outcome.INVALID, {Rate.SUBMITTED}),
        (None, Outcome.MISSING, set()),
    ],
)
def test_a_run_counts_in_the_columns_of_what_it_earned(
    score: float | None, outcome: Outcome, expected: set[Rate]
) -> None:
    run = make_run("a", verdict=make_verdict("a", score, outcome=outcome))
    (result,) = summarize(sources_of(make_group(run))).all_runs()
    assert {rate for rate in Rate if rate.holds(result)} == expected


def test_headings_are_words() -> None:
    assert [rate.heading for rate in (Rate.GOLD, Rate.ABOVE_MEDIAN)] == ["Gold", "Above median"]
