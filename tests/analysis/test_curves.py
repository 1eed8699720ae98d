from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mlebench.analysis.model import Over, Quantity, Summary
from mlebench.grading.reports import Outcome
from mlebench.tasks.registry import registry

from .files import read_summary, write_group
from .records import make_graded_run, make_group, make_point, make_run, make_usage, make_verdict

if TYPE_CHECKING:
    from pathlib import Path


def values(summary: Summary, quantity: Quantity = Quantity.ANY_MEDAL, over: Over = Over.HOURS) -> dict[float, float]:
    (curve,) = (one for one in summary.curves if (one.quantity, one.over) == (quantity, over))
    return dict(zip(curve.at, curve.mean, strict=True))


def test_a_run_has_the_result_of_its_latest_submission(tmp_path: Path) -> None:
    """Nothing before the first submission; a worse or broken one counts; what is there at the end is kept."""
    first, second = make_graded_run("a", 0, 0.4), make_graded_run("b", 0, 0.99)
    curves = {
        first.run_id: [make_point(0.5, 0.99), make_point(1.0, None), make_point(1.5, 0.96), make_point(1.75, 0.4)]
    }
    summary = read_summary(write_group(tmp_path / "g", make_group(first, second), curves))
    had = values(summary)
    assert {at: had[at] for at in (0.0, 0.4, 0.5, 0.95, 1.0, 1.45, 1.5, 1.7, 1.75, 1.95, 2.0)} == {
        0.0: 0,
        0.4: 0,
        0.5: 50,
        0.95: 50,
        1.0: 0,
        1.45: 0,
        1.5: 50,
        1.7: 50,
        1.75: 0,
        1.95: 0,
        2.0: 50,  # the second run has no snapshots: its submission is there when it ends
    }


def test_the_end_is_the_number_in_the_main_table(tmp_path: Path) -> None:
    runs = [make_graded_run(name, seed, score) for name, of in (("a", (0.99, 0.4, None)), ("b", (0.4, 0.96, 0.91)))
            for seed, score in enumerate(of)]  # fmt: skip
    summary = read_summary(write_group(tmp_path / "g", make_group(*runs), {runs[0].run_id: [make_point(1, 0.4)]}))
    (curve,) = (one for one in summary.curves if one.quantity is Quantity.ANY_MEDAL)
    (agent,) = summary.agents
    estimate = agent.rates[next(rate for rate in agent.rates if rate == "any_medal")]
    assert curve.mean[-1] == pytest.approx(estimate.mean, rel=1e-5)
    assert (curve.low[-1], curve.high[-1]) == pytest.approx(estimate.interval, rel=1e-5)


def test_tokens_and_money_where_all_runs_know_them(tmp_path: Path) -> None:
    first, second = (
        make_graded_run("a", 0, 0.99, usage=make_usage(1000, 1.0)),
        make_graded_run("b", 0, 0.99, usage=make_usage(500)),
    )
    curves = {
        first.run_id: [make_point(1, 0.99, make_usage(200, 0.1))],
        second.run_id: [make_point(1, 0.99, make_usage(400))],
    }
    summary = read_summary(write_group(tmp_path / "g", make_group(first, second), curves))
    assert {curve.over for curve in summary.curves} == {Over.HOURS, Over.TOKENS}  # one price is unknown
    had = values(summary, over=Over.TOKENS)
    assert (had[180.0], had[200.0], had[380.0], had[400.0], had[1000.0]) == (0, 50, 50, 100, 100)


def test_scores_are_normalised_by_sample_and_gold(tmp_path: Path) -> None:
    competition = registry.get_competition("spaceship-titanic")
    gold = competition.standings.thresholds.gold
    assert competition.declaration is not None and competition.declaration.sample_score is not None
    half = (competition.declaration.sample_score + gold) / 2
    verdict = make_verdict(score=gold, normalized_score=1.0)
    one = make_run(verdict=verdict)
    summary = read_summary(
        write_group(tmp_path / "g", make_group(one), {one.run_id: [make_point(1, half)]}), registry=registry
    )
    had = values(summary, Quantity.NORMALIZED_SCORE)
    assert (had[0.5], had[1.0], had[2.0]) == pytest.approx((0, 0.5, 1.0), abs=1e-5)
    assert not [one for one in read_summary(tmp_path / "g").curves if one.quantity is Quantity.NORMALIZED_SCORE]


def test_odd_scores_make_no_odd_curves(tmp_path: Path) -> None:
    one = make_run(verdict=make_verdict(score=float("nan"), normalized_score=float("nan")))
    points = [
        make_point(1, float("nan")),
        make_point(1, float("inf")),
        make_point(0.5, 0.99),
        make_point(9, 0.4),
    ]  # and not in order
    summary = read_summary(write_group(tmp_path / "g", make_group(one), {one.run_id: points}), registry=registry)
    for curve in summary.curves:
        assert all(0 <= value <= curve.quantity.maximum for value in curve.mean)
        assert list(curve.at) == sorted(curve.at)


def test_without_snapshots_there_is_no_curve(tmp_path: Path) -> None:
    assert not read_summary(write_group(tmp_path / "g", make_group(make_graded_run("a", 0, 0.99)), {})).curves


@pytest.mark.parametrize("content", [b"", b"{", b'{"points": 3}', b'{"format_version": 2, "points": []}', b"\xff"])
def test_a_damaged_curve_is_named_and_the_others_are_shown(tmp_path: Path, content: bytes) -> None:
    runs = [make_graded_run("a", seed, 0.99) for seed in (0, 1)]
    points = {run.run_id: [make_point(1, 0.99)] for run in runs}
    folder = write_group(tmp_path / "g", make_group(*runs), points)
    (folder / runs[0].run_id / "attempts" / "1" / "curve.json").write_bytes(content)
    summary = read_summary(folder)
    assert summary.curves
    (caveat,) = [sentence for sentence in summary.caveats if "curve.json is damaged" in sentence]
    assert caveat.startswith("The snapshots of 1 run are left out: ")


def test_a_run_id_that_leads_elsewhere_has_no_folder(tmp_path: Path) -> None:
    one = make_run(run_id="../secret", verdict=make_verdict())
    summary = read_summary(write_group(tmp_path / "g", make_group(one), {}))
    assert [found.folder for found in summary.all_runs()] == [None]
    assert "folder" not in summary.model_dump_json()


def test_missing_outcomes_count_as_nothing(tmp_path: Path) -> None:
    verdict = make_verdict("a", None, outcome=Outcome.MISSING)
    one = make_run("a", verdict=verdict)
    had = values(read_summary(write_group(tmp_path / "g", make_group(one), {one.run_id: [make_point(1, 0.99)]})))
    assert (had[1.0], had[2.0]) == (100, 0)
