from __future__ import annotations

import pytest

from mlebench.analysis.page.plot import ticks


@pytest.mark.parametrize(
    ("maximum", "limit", "expected"),
    [
        (87.0, 100.0, [0, 20, 40, 60, 80, 100]),
        (24.0, None, [0, 5, 10, 15, 20, 25]),
        (0.0, None, [0, 1]),
        (1e-9, None, [0, 2e-10, 4e-10, 6e-10, 8e-10, 1e-9]),
        (float("inf"), None, [0, 1]),
    ],
)
def test_ticks_are_round(maximum: float, limit: float | None, expected: list[float]) -> None:
    assert ticks(maximum, limit) == pytest.approx(expected)
