from __future__ import annotations

import pytest

from mlebench.analysis.page.leaderboard import bands, place_on_scale
from mlebench.tasks.medals import Leaderboard, medal_positions


@pytest.mark.parametrize("teams", [1, 2, 3, 7, 40, 99, 100, 249, 250, 999, 1000, 8000])
def test_bands_agree_with_medals(teams: int) -> None:
    """What stands in a band of the drawing has that medal on a leaderboard without ties."""
    board = Leaderboard(tuple(float(teams - place) for place in range(teams)), lower_is_better=False)
    drawn = list(bands(teams))
    assert sum(width for _, _, width in drawn) == pytest.approx(100)
    for place in {1, 2, teams, *(p + step for p in medal_positions(teams) for step in (0, 1))}:
        if place > teams or teams < 3:
            continue
        at = place_on_scale(place, teams)
        (band,) = (name for name, left, width in drawn if left < at <= left + width)
        score = board.scores[place - 1]
        medal = board.medal(score)
        assert band == (medal or ("above" if board.above_median(score) else "below"))
