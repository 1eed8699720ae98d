"""`mlebench demo` works without any preparation."""

import json

import pytest

pytestmark = pytest.mark.slow("runs")


def test_the_demo_ends_in_a_medal_table_and_a_page(mlebench, tmp_path):
    result = mlebench("demo", "--json", timeout=400)
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    agents = {agent["agent"]: agent for agent in report["agents"]}
    assert set(agents) == {"dummy", "baseline"}
    (group,) = (tmp_path / "runs").iterdir()
    runs = json.loads((group / "metadata.json").read_text())["runs"]
    assert len(runs) == 36
    assert {run["status"] for run in runs.values()} == {"graded"}
    assert {run["verdict"]["outcome"] for run in runs.values()} == {"graded"}
    medals = {run["competition_id"] for run in runs.values() if run["agent"] == "baseline" and run["verdict"]["medal"]}
    assert len(medals) >= 3
    page = (group / "report.html").read_text()
    assert str(group / "report.html") in result.stderr
    assert "demo-digit-masks" in page
