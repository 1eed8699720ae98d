"""The study of v1 and v2 runs, and its agent finds leaks in v1 and none in v2."""

from __future__ import annotations

import pytest

from benchmarks.versions.page import page
from benchmarks.versions.study import gain, study
from mlebench.sandbox import get_sandbox


@pytest.mark.slow("programs")
def test_leaks_pay_in_v1_and_not_in_v2(tmp_path, require):
    require(get_sandbox("bubblewrap").probe())
    results = study(("spooky-author-identification",), tmp_path)
    by_agent = {result.agent: result for result in results}
    leaks, dummy = by_agent["leaks"], by_agent["dummy"]
    assert gain(leaks.v1, dummy.v1, lower_is_better=True) > 0
    assert gain(leaks.regraded, dummy.regraded, lower_is_better=True) > 0
    assert gain(leaks.v2, dummy.v2, lower_is_better=True) == 0
    assert "better than `dummy` in 1 of 1 tasks in v1 and in 0 of 1 tasks in v2." in page(results)
