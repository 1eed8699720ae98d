from __future__ import annotations

import pytest

from mlebench.analysis.model import Rate
from mlebench.analysis.summary import summarize
from mlebench.analysis.tables.agents import main_table

from ..printing import shown
from ..records import make_scores, sources_of

LONG = "jigsaw-unintended-bias-in-toxicity-classification"


TWO_AGENTS = {"aide": {"a": [0.99, 0.6, 0.99], LONG: [0.4, 0.4, 0.96]}, "mlab": {"a": [0.4] * 3, LONG: [None] * 3}}


def test_main_table_fits_into_80_characters() -> None:
    summary = summarize(sources_of(make_scores({"aide": {"a": [0.99, 0.6, None], LONG: [0.4, 0.4, 0.96]}})))
    text = shown(main_table(summary), width=80)
    for words in ("Submitted", "83.3", "± 16.7", "aide", "3 seeds × 2"):
        assert words in text
    assert "…" not in text


def test_agents_are_compared_over_what_both_have() -> None:
    summary = summarize(sources_of(make_scores(TWO_AGENTS)))
    comparison = next(one for one in summary.comparisons if one.rate is Rate.ANY_MEDAL)
    assert (comparison.first, comparison.second, comparison.competitions) == ("aide", "mlab", 2)
    assert comparison.difference == pytest.approx(50)
    assert (comparison.better, comparison.worse, comparison.sign_p) == (2, 0, 0.5)
