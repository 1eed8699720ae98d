from __future__ import annotations

from mlebench.analysis.summary import summarize
from mlebench.analysis.tables.agents import main_table

from ..printing import shown
from ..records import make_scores, sources_of

LONG = "jigsaw-unintended-bias-in-toxicity-classification"


def test_main_table_fits_into_80_characters() -> None:
    summary = summarize(sources_of(make_scores({"aide": {"a": [0.99, 0.6, None], LONG: [0.4, 0.4, 0.96]}})))
    text = shown(main_table(summary), width=80)
    for words in ("Submitted", "83.3", "± 16.7", "aide", "3 seeds × 2"):
        assert words in text
    assert "…" not in text
