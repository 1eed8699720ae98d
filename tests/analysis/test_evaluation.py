from __future__ import annotations

import pytest

from mlebench.analysis.model import Rate, Rule
from mlebench.analysis.summary import summarize

from .records import BELOW, GOLD, make_graded_run, make_group, make_run, make_verdict, sources_of


def test_comparisons_are_over_the_runs_of_the_main_table() -> None:
    """A medal on rehearsal data does not count, also if its seed and its competition do."""
    rehearsed = make_run("b", seed=0, verdict=make_verdict("b", GOLD, data="rehearsal"))
    aide = (make_graded_run("a", 0, GOLD), rehearsed, make_graded_run("b", 1, BELOW))
    mlab = [
        make_run(label, "mlab", seed, make_verdict(label, BELOW)) for label in ("a", "b") for seed in (0, 1)
    ]  # fmt: skip
    summary = summarize(sources_of(make_group(*aide, *mlab)))
    first = summary.agents[0]
    assert (first.rule, first.rates[Rate.ANY_MEDAL].mean) == (Rule.ALL, 25)
    comparison = next(one for one in summary.comparisons if one.rate is Rate.ANY_MEDAL)
    assert (comparison.first, comparison.difference) == ("aide", pytest.approx(25))
