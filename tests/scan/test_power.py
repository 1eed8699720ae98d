from __future__ import annotations

import pytest

from mlebench.scan.finding import NothingToScanError
from mlebench.scan.material import Material
from mlebench.scan.power import scan_power


@pytest.fixture
def with_leaderboard(make, rows):
    def make_task(items, *, best, worst):
        competition = make(rows(10), rows(items))
        steps = [best + (worst - best) * place / 499 for place in range(500)]
        competition.leaderboard.write_text("score\n" + "".join(f"{score}\n" for score in steps))
        return competition

    return make_task


def test_a_small_test_set_beside_a_crowded_leaderboard_is_found(with_leaderboard, scan):
    (finding,) = scan(scan_power, with_leaderboard(40, best=0.95, worst=0.9))
    assert finding.number > 1
    # the share of right rows of 40 has a standard error of about sqrt(0.95 * 0.05 / 40)
    assert 0.01 < finding.details["standard error"] < 0.1


def test_a_large_test_set_beside_a_wide_leaderboard_is_silent(with_leaderboard, scan):
    assert scan(scan_power, with_leaderboard(2000, best=0.95, worst=0.1)) == []


def test_rehearsal_data_say_nothing_about_the_size(prepared):
    with pytest.raises(NothingToScanError, match="Rehearsal data"):
        list(scan_power(Material(prepared("spaceship-titanic"))))
