import pytest

from mlebench.runs.chain import START, Chain, Link
from mlebench.runs.history import NEXT, History, Step, is_ahead
from mlebench.runs.record import RunRecord, Status, digest_of
from mlebench.tasks.ref import Version

PLANNED = RunRecord(run_id="r", competition_id="demo-wine", version=Version.V1, agent="a", seed=0)


def entry(kind, attempt=1, run="r", **more):
    return Link(kind, "", {"run": run, "attempt": attempt, "record": "", "events": 0, "head": START} | more)


def problems(*entries):
    return [number for number, _ in History.of([Link("opened", "", {}), *entries]).problems]


@pytest.mark.parametrize(
    "steps",
    [
        ["started 1", "ended 1", "graded 1", "regraded 1", "regraded 1"],
        ["started 1", "interrupted 1", "started 2", "failed 2", "started 3", "ended 3"],
    ],
)
def test_runs_go_through_steps_in_order(steps):
    entries = [entry(kind, int(attempt)) for kind, attempt in map(str.split, steps)]
    assert problems(*entries) == []
    others = [entry(kind, int(attempt), run="other") for kind, attempt in map(str.split, steps)]
    assert problems(*(each for pair in zip(entries, others, strict=True) for each in pair)) == []
    for place in range(len(steps) - 1):  # the last step may be missing, and a regrade may be any of several
        if not steps[place].startswith("regraded"):
            assert problems(*entries[:place], *entries[place + 1 :])


@pytest.mark.parametrize("kind", [kind for kind in NEXT if kind])
def test_no_step_but_a_regrade_comes_twice(kind):
    before = {"ended": ["started"], "graded": ["started", "ended"], "regraded": ["started", "ended", "graded"]}
    steps = [entry(each) for each in (*before.get(kind, ["started"] if kind != "started" else []), kind)]
    assert problems(*steps) == []
    assert bool(problems(*steps, entry(kind))) is (kind != "regraded")


@pytest.mark.parametrize(
    "wrong",
    [
        Link("opened", "", {}),
        Link("blessed", "", {}),
        Link("results", "", {"files": []}),
        Link("results", "", {}),
        entry("started", attempt="1"),
        entry("started", attempt=True),
        entry("started", run=[]),
        entry("started", head=None),
        entry("started", attempt=2),
    ],
)
def test_an_entry_that_no_harness_writes_is_a_problem(wrong):
    assert problems(wrong) == [1]


def test_the_log_begins_with_its_opening():
    assert History.of([entry("started")]).problems[0][0] == 0


def test_results_belong_to_the_runs_that_are_graded_by_then():
    steps = [entry("started"), entry("ended"), entry("graded"), entry("started", run="other")]
    history = History.of(
        [Link("opened", "", {}), *steps, Link("results", "", {"files": {"a": "b"}}), entry("regraded")]
    )
    assert history.graded == {"r"}
    assert history.results == [{"a": "b"}]
    assert history.last("r").kind == "regraded"


def test_a_run_is_ahead_by_one_recorded_step():
    started = PLANNED.model_copy(update={"status": Status.RUNNING, "attempt": 1})
    ended = started.model_copy(update={"status": Status.ENDED})
    recorded = Link("recorded", "x", {"sha256": digest_of(ended.as_file())})
    chain = Chain((Link("run", "y", {}), recorded), None, b"")
    assert is_ahead(None, started, None)
    assert is_ahead(Step.of(started), ended, chain)
    assert not is_ahead(None, ended, chain)  # two steps
    assert not is_ahead(Step.of(ended, 2), started, None)  # back
    assert not is_ahead(Step.of(started), ended.model_copy(update={"submission_bytes": 1}), chain)
    assert not is_ahead(Step.of(started), ended, Chain((recorded, Link("check", "z", {})), None, b""))
    assert not is_ahead(Step.of(started), ended, None)
