"""Odd submissions have the outcome that they have with pandas 2.2, and worthless values earn no medal."""

from __future__ import annotations

import json
import math

import pytest

from mlebench.tasks.registry import Registry

from .mutations import IDS, MUTATIONS, NEVER_A_MEDAL, RECORD, outcomes

RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))
NAMES = RECORDED.pop("mutations")
CLIPPED = {("rsna-breast-cancer-detection", cell) for cell in ("inf", "1e308")}
"""Values that count as 1, which is right for half of the golden answers."""
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::UserWarning")


@pytest.mark.parametrize("competition_id", IDS)
def test_mutated_submissions_have_the_recorded_outcomes(competition_id, tmp_path):
    found = dict(outcomes(competition_id, tmp_path))
    assert found == dict(zip(NAMES, RECORDED[competition_id], strict=True))
    standings = Registry().get_competition(competition_id).standings
    for cell in NEVER_A_MEDAL:
        outcome = found[f"every value {cell!r}"]
        if (competition_id, cell) not in CLIPPED and outcome != "invalid":
            assert standings.medal(float(outcome)) is None, cell


def test_the_record_is_complete():
    assert list(MUTATIONS) == NAMES
    assert list(RECORDED) == IDS


@pytest.mark.parametrize("competition_id", IDS)
def test_neither_nan_nor_the_worst_scores_earn_a_medal(competition_id):
    standings = Registry().get_competition(competition_id).standings
    sign = 1 if standings.lower_is_better else -1
    for score in (math.nan, sign * math.inf, sign * 1e308):
        assert standings.medal(score) is None
        assert not standings.above_median(score)
