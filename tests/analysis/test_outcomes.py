from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from mlebench.analysis.outcomes import MARKS, mark_of, marks_in
from mlebench.analysis.summary import summarize
from mlebench.grading.reports import Outcome

from .records import ABOVE, BELOW, BRONZE, GOLD, MEDIAN, SILVER, make_group, make_run, make_verdict, sources_of

if TYPE_CHECKING:
    from mlebench.analysis.model import RunResult


def result_of(score: float | None, **changes: Any) -> RunResult:
    """Return the result of a run with this verdict."""
    run = make_run("a", verdict=make_verdict("a", score, **changes))
    (result,) = summarize(sources_of(make_group(run))).all_runs()
    return result


@pytest.mark.parametrize(
    ("score", "changes", "name"),
    [
        (GOLD, {}, "gold"),
        (SILVER, {}, "silver"),
        (BRONZE, {}, "bronze"),
        (ABOVE, {}, "above"),
        (MEDIAN, {}, "below"),
        (BELOW, {}, "below"),
        (None, {}, "invalid"),
        (None, {"outcome": Outcome.MISSING}, "missing"),
        (None, {"outcome": Outcome.FAILED}, "failed"),
    ],
)
def test_each_result_has_one_mark(score: float | None, changes: dict[str, Any], name: str) -> None:
    assert mark_of(result_of(score, **changes)).name == name


def test_a_run_that_is_not_finished_has_no_other_mark() -> None:
    (planned,) = summarize(sources_of(make_group(make_run("a")))).all_runs()
    assert mark_of(planned).name == "unfinished"
    assert mark_of(result_of(GOLD).model_copy(update={"finished": False})).name == "unfinished"


def test_a_legend_has_each_mark_once_in_order() -> None:
    runs = [result_of(score) for score in (BELOW, GOLD, None, GOLD, BELOW)]
    assert [mark.name for mark in marks_in(runs)] == ["gold", "below", "invalid"]
    assert marks_in([]) == []


def test_marks_can_be_told_apart_without_colour() -> None:
    assert len({mark.symbol for mark in MARKS}) == len({mark.name for mark in MARKS}) == len(MARKS)
