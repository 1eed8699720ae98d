"""Medals: how many teams earn one, and which score does."""

from __future__ import annotations

import math

import pytest

from mlebench.errors import DeclarationError
from mlebench.tasks.medals import Leaderboard, Medal, medal_positions


@pytest.mark.parametrize(
    ("teams", "positions"),
    [
        (1, (1, 1, 1)),
        (2, (1, 1, 1)),
        (5, (1, 1, 2)),
        (9, (1, 1, 3)),
        (10, (1, 2, 4)),
        (99, (9, 19, 39)),
        (100, (10, 20, 40)),
        (249, (10, 49, 99)),
        (250, (10, 50, 100)),
        (499, (10, 50, 100)),
        (500, (11, 50, 100)),
        (999, (11, 50, 100)),
        (1000, (12, 50, 100)),
        (1499, (12, 74, 149)),
        (1500, (13, 75, 150)),
        (9999, (29, 499, 999)),
        (10000, (30, 500, 1000)),
    ],
)
def test_number_of_medals_follows_the_rules_on_both_sides_of_every_boundary(teams, positions):
    assert medal_positions(teams) == positions


def test_medals_never_go_to_more_teams_than_there_are():
    for teams in range(1, 1200):
        gold, silver, bronze = medal_positions(teams)
        assert 1 <= gold <= silver <= bronze <= teams


@pytest.fixture(params=[True, False], ids=["lower is better", "higher is better"])
def board(request):
    scores = tuple(float(n) for n in range(1, 21))  # 20 teams: 2 gold, 4 silver, 8 bronze
    return Leaderboard(scores if request.param else scores[::-1], lower_is_better=request.param)


def test_threshold_earns_the_medal_and_the_next_number_does_not(board):
    worse = math.inf if board.lower_is_better else -math.inf
    for medal, next_one in ((Medal.GOLD, Medal.SILVER), (Medal.SILVER, Medal.BRONZE), (Medal.BRONZE, None)):
        threshold = getattr(board.thresholds, medal)
        assert board.medal(threshold) is medal
        assert board.medal(math.nextafter(threshold, worse)) is next_one
        assert board.medal(math.nextafter(threshold, -worse)) in Medal


def test_above_median_is_strict(board):
    better = -math.inf if board.lower_is_better else math.inf
    assert board.thresholds.median == 10.5
    assert not board.above_median(10.5)
    assert board.above_median(math.nextafter(10.5, better))


def test_rank_and_percentile_count_the_teams_that_are_better(board):
    best, worst = board.scores[0], board.scores[-1]
    assert (board.rank(best), board.rank(worst)) == (1, 20)
    assert (board.percentile(best), board.percentile(worst)) == (100, 5)
    assert board.rank(10.5) == 11


def test_nan_earns_nothing_and_infinity_is_a_score(board):
    assert board.medal(math.nan) is None
    assert not board.above_median(math.nan)
    assert board.rank(math.nan) is None
    assert board.percentile(math.nan) is None
    best = -math.inf if board.lower_is_better else math.inf
    assert board.medal(best) is Medal.GOLD
    assert board.medal(-best) is None
    assert board.rank(-best) == 21


@pytest.mark.parametrize("content", ["", "score\n", "points\n1\n", "score\none\n", "score\n\n1,2\n,\n"])
def test_unusable_leaderboard_is_named(content, tmp_path):
    path = tmp_path / "leaderboard.csv"
    path.write_text(content)
    with pytest.raises(DeclarationError, match=r"leaderboard\.csv"):
        Leaderboard.read(path, lower_is_better=True)


@pytest.mark.parametrize(
    ("scores", "decimals"), [((0.9, 0.85, 0.1), 2), ((3438191.0, 3518342.0), 0), ((1e-05, 0.5), 5)]
)
def test_a_leaderboard_compares_with_as_many_decimals_as_it_has(scores, decimals):
    assert Leaderboard(scores, lower_is_better=False).at_its_precision().decimals == decimals


def test_a_score_is_rounded_before_it_is_compared():
    board = Leaderboard((0.95, 0.9, 0.8, 0.7, 0.6), lower_is_better=False)
    exact = board.at_its_precision()
    assert (board.medal(0.9499), exact.medal(0.9499), exact.medal(0.9449)) == (Medal.BRONZE, Medal.GOLD, Medal.BRONZE)
    assert (board.rank(0.9499), exact.rank(0.9499)) == (2, 1)
    assert (board.above_median(0.804), exact.above_median(0.804)) == (True, False)
    assert exact.medal(math.nan) is None
