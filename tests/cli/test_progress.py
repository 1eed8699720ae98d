from __future__ import annotations

import pytest
from rich.console import Console

from mlebench.cli.progress import LiveProgress
from mlebench.runs.record import Status

from ..analysis.records import GOLD, make_run, make_verdict


def render(progress: LiveProgress) -> str:
    """Return what a terminal shows now."""
    console = Console(width=160, force_terminal=False)
    with console.capture() as capture:
        console.print(progress._render())
    return capture.get()


@pytest.mark.parametrize(
    ("run", "line"),
    [
        (
            make_run("a", verdict=make_verdict("a", GOLD)),
            "a_aide_seed-0; finished after 7200.0 s; graded, score 0.99, gold medal",
        ),
        (
            make_run("a", verdict=make_verdict("a", None)),
            "a_aide_seed-0; finished after 7200.0 s; invalid, no score (The column 'id' is missing; add it.)",
        ),
        (make_run("a", status=Status.ENDED), "a_aide_seed-0"),
    ],
)
def test_a_finished_run_is_a_line_that_counts_the_earlier_ones(capsys, run, line):
    with LiveProgress(total=5, done=2) as progress:
        progress.started(run)
        progress.finished(run)
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", f"[3/5] {line}\n")


def test_calls_of_models_are_summed_and_checks_are_shown():
    run = make_run("a")
    progress = LiveProgress(total=1, done=0)
    progress.started(run)
    assert "nothing yet" in render(progress)
    for cost in (0.5, 0.25, None):
        progress.event(run, "model_call", model="m", status=200, cost=cost)
    progress.event(run, "check", size=10, answer="Submission is valid.")
    shown = render(progress)
    assert "3, $0.75" in shown
    assert " valid " in shown


def test_an_event_of_a_run_that_has_ended_is_ignored():
    run = make_run("a")
    progress = LiveProgress(total=1, done=0)
    progress.event(run, "check", size=10, answer="Submission is valid.")
    assert run.run_id not in render(progress)


def test_many_runs_at_work_are_counted_but_not_all_shown():
    progress = LiveProgress(total=100, done=0)
    for seed in range(23):
        progress.started(make_run("a", seed=seed))
    shown = render(progress)
    assert "0 of 100 runs, 3 more at work" in shown
    assert shown.count("a_aide_seed-") == 20
