from __future__ import annotations

from mlebench.analysis.summary import summarize
from mlebench.analysis.tables import TABLES
from mlebench.tasks.registry import registry

from ..printing import shown
from ..records import make_scores, sources_of


def test_breakdowns_name_what_is_known() -> None:
    scores = {"aide": {"leaf-classification": [0.99, 0.99], "spaceship-titanic": [0.4, 0.99], "of-my-own": [0.4, 0.4]}}
    labels = {"leaf-classification": "Plants", "of-my-own": "Mine"}
    summary = summarize(sources_of(make_scores(scores)), registry=registry, categories=labels)
    parts = {b.by: {part.label: part.competitions for part in b.parts} for b in summary.breakdowns}
    assert parts["complexity"] == {"low": ("leaf-classification",)}
    assert parts["category"]["Plants"] == ("leaf-classification",)
    assert parts["category"]["Mine"] == ("of-my-own",)
    assert set(parts["year"]) == {"2017", "2022"}
    assert "leaf" not in shown(TABLES["complexity"](summary))
    assert "all" in shown(TABLES["complexity"](summary))
