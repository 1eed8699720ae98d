"""What changes from v1 to v2 is divided into grading and data."""

from __future__ import annotations

import json

from mlebench.analysis.page import render_page
from mlebench.analysis.summary import summarize
from mlebench.analysis.tables import TABLES
from mlebench.analysis.tables.formats import FORMATS, Format
from mlebench.grading.reports import Outcome
from mlebench.runs.record import Regrade

from .records import BELOW, GOLD, make_group, make_run, make_verdict, sources_of

TASKS = ("spaceship-titanic", "leaf-classification", "nomad2018-predict-transparent-conductors")


def runs(v1, rules, v2):
    """Return runs of v1, with regrades by the rules of v2 where there is a score, and runs of v2."""
    made = []
    for name, first, between, second in zip(TASKS, v1, rules, v2, strict=True):
        run = make_run(name, verdict=make_verdict(name, first))
        if between is not None:
            changes = {"version": "v2", "data_version": "v1"} | between
            regrade = Regrade(mlebench_version="1", verdict=make_verdict(name, changes.pop("score"), **changes))
            run = run.model_copy(update={"regrades": (regrade,)})
        second_run = make_run(name, verdict=make_verdict(name, second, version="v2"))
        made += [run, second_run.model_copy(update={"run_id": f"{name}@v2_aide_seed-0"})]
    return made


def effect(*given):
    summary = summarize(sources_of(make_group(*runs(*given))))
    return next(row for row in summary.versions if row.rate == "any_medal"), summary


def test_a_difference_is_the_sum_of_grading_and_data():
    medals = [GOLD, GOLD, GOLD]
    row, _ = effect(medals, [{"score": GOLD}, {"score": BELOW}, {"score": GOLD}], [BELOW, BELOW, GOLD])
    assert (row.v1, row.v2, row.regraded) == (100, 100 / 3, 3)
    assert row.total.mean == -200 / 3
    assert (row.grading.mean, row.data.mean) == (-100 / 3, -100 / 3)
    low, high = row.total.interval
    assert low < row.total.mean < high


def test_without_regrades_the_parts_are_unknown():
    row, summary = effect([GOLD] * 3, [None] * 3, [BELOW] * 3)
    assert (row.grading, row.data, row.regraded) == (None, None, 0)
    assert "regrade GROUP --rules v2" in render_page(summary)
    assert "regrade GROUP --rules v2" in FORMATS[Format.MARKDOWN](TABLES["versions"](summary))


def test_a_competition_whose_answers_v2_cannot_read_is_not_divided():
    failed = {"score": None, "outcome": Outcome.FAILED}
    row, _ = effect([GOLD] * 3, [{"score": GOLD}, failed, {"score": BELOW}], [GOLD] * 3)
    assert (row.regraded, row.grading.mean, row.data.mean) == (2, -50, 50)


def test_a_refused_submission_is_a_result_of_grading():
    row, _ = effect([GOLD] * 3, [{"score": None}] * 3, [GOLD] * 3)
    assert (row.regraded, row.grading.mean, row.data.mean) == (3, -100, 100)


def test_a_report_on_one_version_has_no_such_rows():
    summary = summarize(sources_of(make_group(make_run(verdict=make_verdict(score=GOLD)))))
    assert summary.versions == ()
    assert json.loads(summary.model_dump_json())["versions"] == []
