from __future__ import annotations

import json

import pytest

from mlebench.sandbox import get_sandbox

pytestmark = pytest.mark.slow("runs")


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
    assert f"such as runs/{group.name}/demo-wine_dummy_seed-0." in told.stderr
