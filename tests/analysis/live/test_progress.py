from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from mlebench.analysis.live.progress import MAX_LATEST, find_progress
from mlebench.analysis.sources import read_sources
from mlebench.analysis.summary import summarize

from ..files import write_artifacts
from ..records import START, make_group, make_run, make_verdict, running_group, sources_of

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.analysis.live.progress import Progress
    from mlebench.runs.record import GroupRecord


def progress_of(*groups: GroupRecord) -> Progress:
    sources = sources_of(*groups)
    return find_progress(summarize(sources), sources)


def test_every_run_is_in_one_state() -> None:
    found = progress_of(running_group())
    assert (found.runs, found.done) == (4, 1)
    assert [one.run.seed for one in found.running] == [1]
    assert [[run.seed for run in runs] for runs in (found.latest, found.ungraded, found.waiting)] == [[0], [2], [3]]


def test_without_runs_there_is_nothing() -> None:
    found = progress_of()
    assert (found.runs, found.done, found.running, found.latest) == (0, 0, (), ())


def test_the_runs_that_ended_last_come_first_and_are_few() -> None:
    total = MAX_LATEST + 3
    runs = [
        make_run("a", seed=seed, verdict=make_verdict("a"), ended_at=START + timedelta(hours=(7 * seed) % total))
        for seed in range(total)
    ]
    latest = progress_of(make_group(*runs)).latest
    hours = [(7 * run.seed) % total for run in latest]
    assert hours == list(range(total - 1, total - 1 - MAX_LATEST, -1))


def test_a_run_in_progress_has_its_time_and_events(tmp_path: Path) -> None:
    write_artifacts(tmp_path / "group", running_group())
    sources = read_sources([tmp_path / "group"])
    (running,) = find_progress(summarize(sources), sources).running
    assert running.seconds is not None and running.seconds >= 300
    assert running.events == ()  # it has no log yet
