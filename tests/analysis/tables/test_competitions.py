from __future__ import annotations

from mlebench.analysis.summary import summarize
from mlebench.analysis.tables.competitions import competition_table
from mlebench.grading.reports import Outcome

from ..printing import shown
from ..records import make_group, make_run, make_verdict, sources_of


def test_competition_table_reads_without_colour() -> None:
    group = make_group(
        *(
            make_run("a", seed=seed, verdict=make_verdict("a", score))
            for seed, score in enumerate([0.99, 0.96, 0.91, 0.6, 0.4, None])
        ),
        make_run("a", seed=6, verdict=make_verdict("a", None, outcome=Outcome.MISSING)),
        make_run("a", seed=7, verdict=make_verdict("a", None, outcome=Outcome.FAILED)),
        make_run("a", seed=8),
    )
    text = shown(competition_table(summarize(sources_of(group))))
    assert "G S B + · ✗ – ! …" in text
    for words in ("0.772 ↑", "0.989", "0.951", "0.901", "0.5005", "G gold", "… not finished"):
        assert words in text
