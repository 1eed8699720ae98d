from __future__ import annotations

import math

import pytest

from mlebench.analysis.studies.record import AlignmentRecord, Pair, Side
from mlebench.tasks.medals import Medal

from ..records import LEADERBOARD


def test_medals_are_those_of_the_private_leaderboard() -> None:
    assert Side.of(0.99, LEADERBOARD).medal is Medal.GOLD
    assert Side.of(float("nan"), LEADERBOARD).percentile is None


def test_a_side_without_a_score_keeps_the_reason() -> None:
    side = Side.of(None, LEADERBOARD, "A column is missing.")
    assert (side.score, side.medal, side.percentile, side.problem) == (None, None, None, "A column is missing.")
    assert Side.of(0.5, LEADERBOARD, "A column is missing.").problem is None


@pytest.mark.parametrize("label", ["leaf-classification", "leaf-classification@v2"])
def test_every_version_is_the_same_competition_at_kaggle(label: str) -> None:
    assert Pair(run_id="x", competition=label, solution="a", seed=0).competition_id == "leaf-classification"


@pytest.mark.parametrize("score", [0.5, math.inf, -math.inf, None])
def test_a_record_can_be_read_back(score: float | None) -> None:
    pair = Pair(run_id="x", competition="leaf-classification", solution="a", seed=0, here=Side(score=score))
    record = AlignmentRecord(mlebench_version="1", pairs=(pair,))
    assert AlignmentRecord.model_validate_json(record.as_file()) == record
