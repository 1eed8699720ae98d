from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import pytest

from mlebench.analysis.model import Over, Quantity, Summary
from mlebench.analysis.page.curves import plot_files
from mlebench.analysis.page.plot import ticks
from mlebench.analysis.sources import read_sources
from mlebench.analysis.summary import summarize
from mlebench.analysis.tables import TABLES
from mlebench.errors import ReportError
from mlebench.grading.reports import Outcome
from mlebench.runs.record import CurvePoint, CurveRecord, UsageRecord
from mlebench.tasks.registry import registry

from .records import make_group, make_run, make_verdict
from .test_page import HOSTILE

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.runs.record import GroupRecord, RunRecord

HOUR = 3600.0


def used(tokens: int, money: float | None = None) -> UsageRecord:
    return UsageRecord(requests=1, input_tokens=tokens, output_tokens=0, money=money)


def point(hours: float, score: float | None, usage: UsageRecord | None = None) -> CurvePoint:
    verdict = make_verdict("a", score)
    of_it = {"outcome": verdict.outcome, "score": verdict.score, "medal": verdict.medal}
    return CurvePoint(seconds=hours * HOUR, sha256="0" * 64, bytes=1, usage=usage, **of_it)


def write(folder: Path, group: GroupRecord, curves: dict[str, list[CurvePoint]]) -> Path:
    folder.mkdir(parents=True)
    (folder / "metadata.json").write_text(group.as_file())
    for run_id, points in curves.items():
        attempt = folder / run_id / "attempts" / "1"
        attempt.mkdir(parents=True)
        (attempt / "curve.json").write_text(CurveRecord(points=tuple(points)).model_dump_json())
    return folder


def read(folder: Path, **options: Any) -> Summary:
    found = read_sources([str(folder)])
    return summarize(found, **options)


def values(summary: Summary, quantity: Quantity = Quantity.ANY_MEDAL, over: Over = Over.HOURS) -> dict[float, float]:
    (curve,) = (one for one in summary.curves if (one.quantity, one.over) == (quantity, over))
    return dict(zip(curve.at, curve.mean, strict=True))


def run(competition: str, seed: int, score: float | None, **changes: Any) -> RunRecord:
    return make_run(competition, seed=seed, verdict=make_verdict(competition, score), **changes)


def test_a_run_has_what_it_had_last(tmp_path: Path) -> None:
    """Nothing before the first submission; a worse or broken one counts; what is there at the end is kept."""
    first, second = run("a", 0, 0.4), run("b", 0, 0.99)
    curves = {first.run_id: [point(0.5, 0.99), point(1.0, None), point(1.5, 0.96), point(1.75, 0.4)]}
    summary = read(write(tmp_path / "g", make_group(first, second), curves))
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
    runs = [run(name, seed, score) for name, of in (("a", (0.99, 0.4, None)), ("b", (0.4, 0.96, 0.91)))
            for seed, score in enumerate(of)]  # fmt: skip
    summary = read(write(tmp_path / "g", make_group(*runs), {runs[0].run_id: [point(1, 0.4)]}))
    (curve,) = (one for one in summary.curves if one.quantity is Quantity.ANY_MEDAL)
    (agent,) = summary.agents
    estimate = agent.rates[next(rate for rate in agent.rates if rate == "any_medal")]
    assert curve.mean[-1] == pytest.approx(estimate.mean, rel=1e-5)
    assert (curve.low[-1], curve.high[-1]) == pytest.approx(estimate.interval, rel=1e-5)


def test_tokens_and_money_where_all_runs_know_them(tmp_path: Path) -> None:
    first, second = run("a", 0, 0.99, usage=used(1000, 1.0)), run("b", 0, 0.99, usage=used(500))
    curves = {first.run_id: [point(1, 0.99, used(200, 0.1))], second.run_id: [point(1, 0.99, used(400))]}
    summary = read(write(tmp_path / "g", make_group(first, second), curves))
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
    summary = read(write(tmp_path / "g", make_group(one), {one.run_id: [point(1, half)]}), registry=registry)
    had = values(summary, Quantity.NORMALIZED_SCORE)
    assert (had[0.5], had[1.0], had[2.0]) == pytest.approx((0, 0.5, 1.0), abs=1e-5)
    assert not [one for one in read(tmp_path / "g").curves if one.quantity is Quantity.NORMALIZED_SCORE]


def test_odd_scores_make_no_odd_curves(tmp_path: Path) -> None:
    one = make_run(verdict=make_verdict(score=float("nan"), normalized_score=float("nan")))
    points = [point(1, float("nan")), point(1, float("inf")), point(0.5, 0.99), point(9, 0.4)]  # and not in order
    summary = read(write(tmp_path / "g", make_group(one), {one.run_id: points}), registry=registry)
    for curve in summary.curves:
        assert all(0 <= value <= curve.quantity.maximum for value in curve.mean)
        assert list(curve.at) == sorted(curve.at)


def test_without_snapshots_there_is_no_curve(tmp_path: Path) -> None:
    assert not read(write(tmp_path / "g", make_group(run("a", 0, 0.99)), {})).curves


@pytest.mark.parametrize("content", [b"", b"{", b'{"points": 3}', b'{"format_version": 2, "points": []}', b"\xff"])
def test_a_damaged_curve_is_named(tmp_path: Path, content: bytes) -> None:
    one = run("a", 0, 0.99)
    folder = write(tmp_path / "g", make_group(one), {one.run_id: [point(1, 0.99)]})
    (folder / one.run_id / "attempts" / "1" / "curve.json").write_bytes(content)
    with pytest.raises(ReportError, match=r"curve\.json is damaged") as caught:
        read(folder)
    assert "\n" not in str(caught.value)


def test_a_run_id_that_leads_elsewhere_has_no_folder(tmp_path: Path) -> None:
    one = make_run(run_id="../secret", verdict=make_verdict())
    summary = read(write(tmp_path / "g", make_group(one), {}))
    assert [found.folder for found in summary.all_runs()] == [None]
    assert "folder" not in summary.model_dump_json()


def test_table_of_curves(tmp_path: Path) -> None:
    one = run("a", 0, 0.99)
    table = TABLES["curve"](read(write(tmp_path / "g", make_group(one), {one.run_id: [point(1, 0.99)]})))
    rows = {row[2].value: row[3].value for row in table.cells}
    assert (rows[0.0], rows[1.0], rows[2.0]) == (0, 100, 100)


def test_pictures_are_xml_whatever_agents_are_called(tmp_path: Path) -> None:
    runs = [make_run("a", HOSTILE, seed, make_verdict("a", 0.99), run_id=f"r{seed}") for seed in range(2)]
    drawn = plot_files(read(write(tmp_path / "g", make_group(*runs), {"r0": [point(1, 0.99)]})))
    assert set(drawn) == {"any_medal-over-hours.svg", "pass_at_k.svg"}
    for text in drawn.values():
        root = ET.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert not [element for element in root.iter() if element.tag.endswith(("script", "img", "image"))]


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


def test_missing_outcomes_count_as_nothing(tmp_path: Path) -> None:
    verdict = make_verdict("a", None, outcome=Outcome.MISSING)
    one = make_run("a", verdict=verdict)
    had = values(read(write(tmp_path / "g", make_group(one), {one.run_id: [point(1, 0.99)]})))
    assert (had[1.0], had[2.0]) == (100, 0)
