"""The record of a run is written at once, the copy in the group's record at the start and at the end."""

from __future__ import annotations

import json

import pytest

from mlebench.errors import GroupBusyError, ReportError, RunError
from mlebench.runs.layout import METADATA, RUN
from mlebench.runs.record import Status
from mlebench.runs.store import GroupStore


@pytest.fixture
def opened(arena, submit):
    plan = arena.plan(arena.agent("tested", submit), seeds=3)

    def open_store():
        return GroupStore.open(
            arena.folder / "runs" / "group", plan.record, plan.runs, plan.guarantees, plan.enforcement
        )

    return open_store


def statuses(store):
    return [run["status"] for run in json.loads((store.folder / METADATA).read_text())["runs"].values()]


def test_saving_a_run_does_not_rewrite_the_records_of_all_others(opened):
    store = opened()
    before = (store.folder / METADATA).stat()
    for run in store.record.runs.values():
        store.save(run.model_copy(update={"status": Status.ENDED}))
        assert json.loads((store.run_folder(run) / RUN).read_text())["status"] == "ended"
    after = (store.folder / METADATA).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert statuses(store) == ["planned"] * 3
    store.close()
    assert statuses(store) == ["ended"] * 3


def test_a_group_whose_harness_was_killed_is_opened_with_the_newest_records(opened):
    killed = opened()
    run = next(iter(killed.record.runs.values()))
    killed.save(run.model_copy(update={"status": Status.ENDED}))
    killed._lock_file.close()  # as the system does
    store = opened()
    assert statuses(store) == ["ended", "planned", "planned"]
    store.close()


def test_a_group_is_opened_by_one_process_at_a_time(opened):
    store = opened()
    with pytest.raises(GroupBusyError, match="Wait for it"):
        opened()
    store.close()
    opened().close()


def test_only_a_group_is_reopened(tmp_path):
    with pytest.raises(RunError, match="not a run group"):
        GroupStore.reopen(tmp_path)


@pytest.mark.parametrize(
    ("old", "new"),
    [("demo-wine_tested_seed-1", "../elsewhere"), ("demo-wine_tested_seed-1", "demo-wine_tested_seed-9")],
)
def test_a_group_with_other_runs_than_its_plan_is_refused_and_nothing_is_written(opened, tmp_path, old, new):
    store = opened()
    store.close()
    file = store.folder / METADATA
    changed = file.read_text().replace(old, new)
    file.write_text(changed)
    names = sorted(path.name for path in store.folder.parent.iterdir())
    with pytest.raises(RunError, match=rf"{METADATA} was changed: It lists the run '{new}' in place of '{old}'"):
        opened()
    assert file.read_text() == changed
    assert sorted(path.name for path in store.folder.parent.iterdir()) == names


def test_the_record_of_another_run_in_the_folder_of_a_run_is_refused(opened):
    store = opened()
    first, second, _ = store.record.runs.values()
    store.save(first)
    store.close()
    file = store.run_folder(first) / RUN
    file.write_text(second.model_copy(update={"run_id": first.run_id}).as_file())
    with pytest.raises(RunError, match=f"Its copy of {first.run_id} is the record of another run"):
        opened()


@pytest.mark.parametrize("error", [RunError, ReportError])
def test_a_damaged_record_is_named_with_what_to_do_about_it(opened, error):
    store = opened()
    run = next(iter(store.record.runs.values()))
    store.save(run)
    store.close()
    (store.run_folder(run) / RUN).write_text('{"run_id": 3}')
    with pytest.raises(error, match=rf"{run.run_id}/run\.json is damaged .*; remove its folder and repeat"):
        opened()
