from __future__ import annotations

import pytest

from mlebench.analysis.summary import summarize
from mlebench.analysis.tables.titles import mark_rehearsal, title

from ..records import make_group, make_run, make_verdict, sources_of


@pytest.mark.parametrize(
    ("data", "left_out", "expected"),
    [
        ("kaggle", {}, "Results"),
        ("rehearsal", {}, "Results (rehearsal: not a result)"),
        ("kaggle", {"a": ("leak",)}, "Results, without competitions with known problems (leak)"),
        (
            "rehearsal",
            {"a": ("metric", "leak"), "b": ("leak",)},
            "Results, without competitions with known problems (leak, metric) (rehearsal: not a result)",
        ),
    ],
)
def test_a_title_says_what_the_numbers_are_not(data: str, left_out: dict[str, tuple[str, ...]], expected: str) -> None:
    run = make_run("a", verdict=make_verdict("a", data=data))
    summary = summarize(sources_of(make_group(run))).model_copy(update={"left_out": left_out})
    assert title(summary, "Results") == expected
    assert mark_rehearsal(summary, "Results").startswith("Results")
