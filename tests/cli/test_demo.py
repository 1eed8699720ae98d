"""`mlebench demo` works without any preparation."""

import json

import pytest

from mlebench.sandbox import get_sandbox

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


def test_the_default_sandbox_keeps_its_guarantees_as_seen_from_inside(mlebench, tmp_path, require):
    require(get_sandbox("bubblewrap").probe())
    result = mlebench("run", "--agent", "dummy", "-c", "demo-wine", "--json", timeout=100)
    assert result.returncode == 0, result.stderr
    (checks,) = (tmp_path / "runs").glob("*/demo-wine_dummy_seed-0/logs/checks.json")
    broken = {name: check for name, check in json.loads(checks.read_text()).items() if not check["held"]}
    assert broken == {}
    (group,) = (tmp_path / "runs").iterdir()
    line = json.loads((group / "submission.jsonl").read_text())
    assert line["submission_path"] == str(group / "demo-wine_dummy_seed-0" / "submission" / "submission.csv")
    told = mlebench("log", group.name)
    assert (told.returncode, told.stdout) == (1, "")
    assert f"such as {group.name}/demo-wine_dummy_seed-0" in told.stderr
