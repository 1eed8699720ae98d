from __future__ import annotations

import pytest

from mlebench.cli.running import run_and_report
from mlebench.runs import readiness
from mlebench.runs.options import RunOptions
from mlebench.runs.planning import plan_group

pytestmark = pytest.mark.slow("runs")


def test_a_group_is_made_ready_once(monkeypatch, tmp_path, capsys):
    options = RunOptions.of(
        agents=["dummy"],
        competitions=["demo-wine"],
        sandbox="process",
        runs_dir=tmp_path / "runs",
        data_dir=tmp_path / "data",
    )
    asked, prepare = [], readiness.prepare

    def count(competition, **options):
        asked.append(competition.id)
        return prepare(competition, **options)

    monkeypatch.setattr(readiness, "prepare", count)
    page = run_and_report(plan_group(options), json=True)
    assert page.is_file() and '"runs_finished": 1' in capsys.readouterr().out
    assert asked == ["demo-wine"]
