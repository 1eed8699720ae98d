from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.grading_reports import read_grading_report
from mlebench.analysis.sources import Sources
from mlebench.analysis.summary import summarize
from mlebench.tasks.registry import registry

from .files import write_report

if TYPE_CHECKING:
    from pathlib import Path


def test_scores_of_other_programs_get_a_rank(tmp_path: Path) -> None:
    thresholds = registry.get_competition("spaceship-titanic").standings.thresholds
    flags = {"bronze_medal": False, "gold_medal": True, "is_lower_better": False}
    row = {"competition_id": "spaceship-titanic", "score": thresholds.gold, **flags}
    row |= {f"{name}_threshold": getattr(thresholds, name) for name in ("gold", "silver", "bronze")}
    path = write_report(tmp_path / "grading_report.json", row | {"median_threshold": 0.1})
    summary = summarize(Sources(reports=(read_grading_report(path, "x"),)), registry=registry)
    (run,) = summary.all_runs()
    assert run.rank is not None and run.teams is not None and run.percentile is not None and run.percentile > 90
    assert any("other thresholds" in sentence for sentence in summary.caveats)
