from __future__ import annotations

import pytest

from mlebench.analysis.results import collect_runs
from mlebench.errors import ReportError, UsageError
from mlebench.sandbox.ending import Ending, Reason

from .records import GOLD, make_group, make_run, make_verdict, sources_of


def test_runs_that_differ_in_a_field_are_kept_apart() -> None:
    group = make_group(make_run("a", verdict=make_verdict("a")), plan={"profile": "paper-24h"})
    for field, value in (("profile", "paper-24h"), ("limits.seconds", "86400"), ("ending.reason", "finished")):
        assert [run.agent for run in collect_runs(sources_of(group), group_by=field)] == [f"aide · {value}"]
    assert [run.agent for run in collect_runs(sources_of(group), group_by="usage.requests")] == ["aide · none"]
    with pytest.raises(UsageError, match="no field 'colour'"):
        collect_runs(sources_of(group), group_by="colour")


def test_planned_runs_without_a_record_are_missing() -> None:
    group = make_group(make_run("a", verdict=make_verdict("a")), plan={"competitions": ("a", "b@v2"), "seeds": 2})
    runs = collect_runs(sources_of(group))
    assert sorted(run.run_id for run in runs if not run.finished) == [
        "a_aide_seed-1",
        "b@v2_aide_seed-0",
        "b@v2_aide_seed-1",
    ]


@pytest.mark.parametrize("reason", [Reason.STOPPED, Reason.HARNESS])
def test_stopped_and_failed_runs_do_not_count(reason: Reason) -> None:
    ending = Ending(reason=reason, exit_code=None, seconds=3.0, detail="", peak_memory=None)
    (run,) = collect_runs(sources_of(make_group(make_run(verdict=make_verdict(score=GOLD), ending=ending))))
    assert (run.finished, run.medal, run.outcome, run.ending) == (False, None, None, reason)
    assert run.reason
    assert "does not count" in run.reason


def test_a_damaged_plan_cannot_fill_the_memory() -> None:
    group = make_group(make_run("a", verdict=make_verdict("a")), plan={"seeds": 2**31})
    with pytest.raises(ReportError, match="has 2,147,483,648 runs, but reports have 1,000,000 at most"):
        collect_runs(sources_of(group))
