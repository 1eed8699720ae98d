"""Groups run from Python: with a callback, again, in threads, in an event loop, and stopped early."""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import mlebench
from mlebench.errors import NotPreparedError, RunError, UnknownNameError, UsageError
from mlebench.runs.layout import OPTIONS
from mlebench.runs.record import Status
from mlebench.runs.verify import verify
from mlebench.sandbox.stop import StopSignal

AGENT = 'format_version: 1\nid: tested\ndescription: Tested.\ncommand: ["{python}", start.py]\n'
WAIT = "import time\ntime.sleep(600)\n"


@pytest.fixture
def options(arena, submit):
    """Options of a small group whose agent submits the sample submission."""
    folder = arena.folder / "my-agent"
    folder.mkdir()
    (folder / "agent.yaml").write_text(AGENT)
    (folder / "start.py").write_text(submit)
    return {
        "agents": folder,
        "competitions": "demo-wine",
        "sandbox": "bubblewrap",
        "time_limit": 60,
        "memory": 0.5,
        "cpus": 1,
        "runs_dir": arena.folder / "runs",
        "data_dir": arena.registry.get_data_dir(),
    }


def test_a_group_is_returned_with_its_results(options):
    told = []
    group = mlebench.run(**options, seeds=2, group="mine", progress=told.append)
    assert (group.name, group.is_finished, group.folder) == ("mine", True, options["runs_dir"] / "mine")
    assert [run.verdict.outcome for run in group.runs] == ["graded", "graded"]
    frame = group.to_frame()
    assert frame["agent"].tolist() == ["tested", "tested"]
    assert frame["seed"].tolist() == [0, 1]
    assert frame["score"].notna().all()
    assert sorted(run.status for run in told) == [Status.GRADED] * 2 + [Status.PLANNED] * 2
    assert verify(group.folder) == []
    assert mlebench.read_group(group.folder) == group


def test_the_same_call_runs_nothing_twice(options):
    first = mlebench.run(**options)
    assert mlebench.run(**options, progress=pytest.fail) == first
    with pytest.raises(RunError, match="other settings"):
        mlebench.run(**options | {"time_limit": 61}, group=first.name)
    assert verify(first.folder) == []


def test_a_stopped_group_is_resumed_with_its_own_options(options, monkeypatch, tmp_path):
    start = options["agents"] / "start.py"
    submit = start.read_text()
    start.write_text(WAIT)
    stop = StopSignal()
    running = threading.Timer(3.0, stop.request)
    running.start()
    group = mlebench.run(**options, group="mine", stop=stop)
    running.join()
    assert not group.is_finished
    assert not (group.folder / "grading_report.json").exists()
    start.write_text(submit)
    moved = tmp_path / "moved"
    group.folder.rename(moved)
    monkeypatch.chdir(tmp_path)
    resumed = mlebench.resume("moved")
    assert (resumed.folder, resumed.is_finished) == (moved, True)
    assert verify(moved) == []


def test_two_groups_run_in_threads_of_one_process(options):
    with ThreadPoolExecutor() as pool:
        calls = [pool.submit(mlebench.run, **options, seeds=3, group=name) for name in ("one", "two")]
    groups = [call.result() for call in calls]
    assert [group.name for group in groups] == ["one", "two"]
    assert all(group.is_finished and verify(group.folder) == [] for group in groups)
    assert [run.attempt for group in groups for run in group.runs] == [1] * 6
    assert not (options["runs_dir"] / ".work").exists()


def test_an_event_loop_runs_groups_side_by_side_and_cancels_one(options):
    waiting = options["agents"].parent / "waiting"
    waiting.mkdir()
    (waiting / "agent.yaml").write_text(AGENT.replace("id: tested", "id: waiting"))
    (waiting / "start.py").write_text(WAIT)

    async def main():
        started = asyncio.Event()
        loop = asyncio.get_running_loop()
        endless = asyncio.create_task(
            mlebench.run_async(
                **options | {"agents": waiting},
                group="endless",
                progress=lambda run: loop.call_soon_threadsafe(started.set),
            )
        )
        done = await mlebench.run_async(**options, group="done")
        await started.wait()
        endless.cancel()
        with pytest.raises(asyncio.CancelledError):
            await endless
        return done

    assert asyncio.run(main()).is_finished
    cancelled = mlebench.read_group(options["runs_dir"] / "endless")
    assert [run.status for run in cancelled.runs] == [Status.PLANNED]
    assert verify(cancelled.folder) == []


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"agents": ()}, UsageError, "Name an agent"),
        ({"agents": "baselin"}, UnknownNameError, "did you mean 'baseline'"),
        ({"competitions": ()}, UsageError, "in one way"),
        ({"split": "demo"}, UsageError, "in one way"),
        ({"competitions": "demo-wine@v9"}, UnknownNameError, "v9"),
        ({"seeds": 0}, UsageError, "seeds"),
        ({"seeds": "many"}, UsageError, "seeds"),
        ({"time_limit": "soon"}, UsageError, "duration"),
        ({"network": "opne"}, UnknownNameError, "did you mean 'open'"),
        ({"sandbox": "dokcer"}, UnknownNameError, "did you mean 'docker'"),
        ({"model_mode": "record"}, UsageError, "--models"),
        ({"group": "../up"}, UsageError, "group's name"),
        ({"competitions": "spaceship-titanic"}, NotPreparedError, "mlebench prepare -c spaceship-titanic"),
        ({"stop": 3}, UsageError, "stop"),
    ],
)
def test_wrong_options_are_refused_before_anything_runs(options, tmp_path, changes, error, words):
    with pytest.raises(error, match=words):
        mlebench.run(**options | {"data_dir": tmp_path / "data"} | changes)
    assert not options["runs_dir"].exists()


def test_only_a_group_with_its_options_is_resumed(options, tmp_path):
    with pytest.raises(RunError, match="Repeat the command"):
        mlebench.resume(tmp_path)
    group = mlebench.run(**options)
    recorded = json.loads((group.folder / OPTIONS).read_text())
    (group.folder / OPTIONS).write_text(json.dumps(recorded | {"seeds": 7}))
    with pytest.raises(RunError, match="seeds: 1 before, 7 now"):
        mlebench.resume(group.folder)
