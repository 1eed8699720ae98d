from __future__ import annotations

import json
import math
import subprocess
import sys

import pytest

from mlebench.analysis.model import Summary
from mlebench.analysis.summary import summarize
from mlebench.tasks.medals import Medal

from .records import GOLD, make_scores, sources_of


@pytest.mark.slow("programs")
def test_package_imports_nothing_heavy() -> None:
    code = "import sys, mlebench.analysis, mlebench.runs.reader; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "pandas", "rich", "sklearn"} & set(done.stdout.split())


def test_report_is_json_that_can_be_read_back() -> None:
    group = make_scores({"aide": {"a": [GOLD, math.nan, math.inf, None]}})
    text = summarize(sources_of(group)).model_dump_json()

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    data = json.loads(text, parse_constant=refuse)
    assert data["format_version"] == 1
    assert data["agents"][0]["rates"]["gold"]["per_seed"][0] == 100
    again = Summary.model_validate_json(text)
    assert again.competitions[0].cells[0].runs[0].medal is Medal.GOLD
    assert again.model_dump_json() == text
    assert Summary.model_json_schema()["properties"]["format_version"]
