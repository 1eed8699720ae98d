from __future__ import annotations

import json

import pytest

from mlebench.analysis.summary import summarize
from mlebench.analysis.tables import TABLES
from mlebench.analysis.tables.formats import FORMATS, Format
from mlebench.analysis.tables.runs import failure_table
from mlebench.grading.reports import Outcome
from mlebench.runs.record import UsageRecord

from ..printing import shown
from ..records import make_group, make_run, make_verdict, sources_of


def test_failures_with_one_reason_are_one_row() -> None:
    runs = [
        make_run("a", seed=seed, verdict=make_verdict("a", None, reason=f"Row {seed} of column 'x{seed}' is empty."))
        for seed in range(3)
    ]
    text = shown(TABLES["failures"](summarize(sources_of(make_group(*runs)))))
    assert "Row … of column … is empty." in text
    assert text.count("invalid") == 1
    assert "a_aide_seed-0" in text


@pytest.mark.parametrize(
    "reason",
    [
        "There is no submission file /runs/{0}/a b, c/{0}.csv.",
        "There is no submission file {0} b.csv.",
        "The submission cannot be opened: /runs/{0}/submission.csv is busy.",
        "Row 7 of '{0}' is empty.",
    ],
)
def test_what_differs_between_submissions_is_no_part_of_a_cause(reason: str) -> None:
    runs = [
        make_run(name, verdict=make_verdict(name, None, outcome=Outcome.MISSING, reason=reason.format(name)))
        for name in ("1-a", "2-b", "3-c")
    ]
    (row,) = failure_table(summarize(sources_of(make_group(*runs)))).rows
    assert len(row.runs) == 3


def test_usage_is_summed() -> None:
    usage = UsageRecord(requests=2, input_tokens=1500, output_tokens=10, money=0.25)
    runs = [make_run("a", seed=seed, verdict=make_verdict("a"), usage=usage) for seed in range(2)]
    (row,) = json.loads(FORMATS[Format.JSON](TABLES["usage"](summarize(sources_of(make_group(*runs))))))
    assert row == {
        "agent": "aide",
        "runs": 2,
        "hours": 4.0,
        "requests": 4,
        "input_tokens": 3000,
        "output_tokens": 20,
        "dollars": 0.5,
    }
