"""Runs cannot be dropped, added, exchanged or renamed without a finding, and the plan cannot be changed."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from mlebench.errors import RunError
from mlebench.runs.verify import remarks, verify

GOOD, IDLE, OTHER = "demo-wine_good_seed-0", "demo-wine_idle_seed-0", "demo-wine_good_seed-1"
META, LOG = "metadata.json", "group.jsonl"


def drop(group, run):
    group.remove(run)
    group.change_record(META, lambda record: record["runs"].pop(run))


def drop_seed(group):
    """Remove all runs of a seed, and change the plan and the log accordingly."""
    for path in list(group.glob("*_seed-1")):
        drop(group, path.name)
    group.change_record(META, lambda record: record["plan"].update(seeds=1))
    group.forge(LOG, lambda entry: not entry.get("run", "").endswith("_seed-1"))


def drop_agent(group):
    for path in list(group.glob("*_idle_*")):
        drop(group, path.name)
    group.change_record(META, lambda record: record["plan"].update(agents=["good"]))


def empty_plan(group):
    """Leave no run, and more seeds than memory has room for."""
    empty = {"agents": [], "seeds": 10**12}
    group.change_record(META, lambda record: record.update(runs={}, plan=record["plan"] | empty))


def overwrite(group):
    """Replace the run of another seed by a copy of the good one."""
    group.remove(OTHER)
    group.copy(GOOD, OTHER)


def overwrite_with_names(group):
    overwrite(group)
    group.change_record(f"{OTHER}/run.json", lambda run: run.update(run_id=OTHER, seed=1))
    record = json.loads((group / OTHER / "run.json").read_text())
    group.change_record(META, lambda group_record: group_record["runs"].update({OTHER: record}))


def swap_seeds(group):
    group.swap(GOOD, OTHER)
    for run, seed in ((GOOD, 0), (OTHER, 1)):
        group.change_record(f"{run}/run.json", lambda record, run=run, seed=seed: record.update(run_id=run, seed=seed))


def add_seed(group):
    group.copy(OTHER, "demo-wine_good_seed-2")


def rename_agent(group):
    text = (group / META).read_text().replace("good", "best")
    (group / META).write_text(text)
    for path in list(group.glob("*_good_*")):
        path.rename(group / path.name.replace("_good_", "_best_"))


def forget_the_log(group):
    """Make a group of a version that had no log."""
    group.remove(LOG)
    group.change_record(META, lambda record: record.pop("log"))


def from_another_group(group):
    """Replace a run by one that has the same name in another group."""
    log = group / OTHER / "attempts/1/events.jsonl"
    group.forge(
        f"{OTHER}/attempts/1/{log.name}", lambda event: event.update(group="0" * 64) if "group" in event else None
    )


def climb(group):
    """Name a run outside of the group."""
    text = (group / META).read_text().replace("demo-wine", "../demo-wine")
    (group / META).write_text(text)


TAMPERINGS = {
    "the worst run is removed": (lambda g: g.remove(IDLE), IDLE),
    "the worst run is dropped": (lambda g: drop(g, IDLE), META),
    "a seed is dropped everywhere": (drop_seed, META),
    "an agent is dropped everywhere": (drop_agent, META),
    "the best run is copied over another": (overwrite, f"{OTHER}/run.json"),
    "the best run is copied with the other's names": (overwrite_with_names, f"{OTHER}/run.json"),
    "seeds are exchanged": (lambda g: g.swap(GOOD, OTHER), f"{GOOD}/run.json"),
    "seeds are exchanged with their names": (swap_seeds, f"{GOOD}/run.json"),
    "a seed is added": (add_seed, "demo-wine_good_seed-2"),
    "a run is renamed": (lambda g: (g / GOOD).rename(g / "demo-wine_best_seed-0"), "demo-wine_best_seed-0"),
    "an agent is renamed": (rename_agent, META),
    "a run comes from another group": (from_another_group, f"{OTHER}/attempts/1/events.jsonl"),
    "a run is a link out of the group": (
        lambda g: ((g / GOOD).rename(g.parent / GOOD), (g / GOOD).symlink_to(g.parent / GOOD)),
        f"{GOOD}/run.json",
    ),
    "a run is a file": (lambda g: (g.remove(GOOD), (g / GOOD).write_text("")), f"{GOOD}/run.json"),
    "the plan names a path": (climb, META),
    "nothing is planned": (empty_plan, META),
    "the plan has seeds without end": (lambda g: g.edit(META, '"seeds": 2', '"seeds": 1000000000000'), META),
    "the time limit is changed": (lambda g: g.edit(META, '"seconds": 60.0', '"seconds": 61.0'), META),
    "the machine is changed": (lambda g: g.edit(META, "Linux", "Plan9"), META),
    "the group is renamed": (lambda g: g.edit(META, '"run_group": "group"', '"run_group": "other"'), META),
    "the time is changed": (lambda g: g.edit(META, '"created_at": "2', '"created_at": "1'), META),
    "a guarantee is changed": (
        lambda g: g.change_record(META, lambda record: record["guarantees"].update(network=False)),
        META,
    ),
    "the copy of a run is changed": (
        lambda g: g.edit(META, '"outcome": "missing"', '"outcome": "invalid"', count=1),
        META,
    ),
    "the runs have another order": (
        lambda g: g.change_record(META, lambda r: r.update(runs=dict(reversed(r["runs"].items())))),
        META,
    ),
    "the record is written otherwise": (lambda g: g.edit(META, "\n", " ", count=1), META),
    "the record is removed": (lambda g: g.remove(META), META),
    "the record is a link": (lambda g: (g.copy(META, "../copy"), g.replace_by_link(META, "../copy")), META),
    "the record is a pipe": (lambda g: (g.remove(META), os.mkfifo(g / META)), META),
    "the record is a folder": (lambda g: (g.remove(META), (g / META).mkdir()), META),
    "the record has brackets without end": (lambda g: (g / META).write_text("[" * 10**6), META),
    "the record is not text": (lambda g: (g / META).write_bytes(b"\xff"), META),
    "the record is huge": (lambda g: os.truncate(g / META, 2**41), META),
    "the log is removed": (lambda g: g.remove(LOG), LOG),
    "the log is removed, and the record does not name it": (forget_the_log, f"{GOOD}/attempts/1/events.jsonl"),
    "the record does not name the log": (lambda g: g.change_record(META, lambda r: r.pop("log")), LOG),
    "the log is emptied": (lambda g: (g / LOG).write_text(""), LOG),
    "the last entry is removed": (lambda g: g.cut(LOG, 1), META),
    "the entries of regrading are removed": (lambda g: g.cut(LOG, 8), LOG),
    "all entries but the first are removed": (lambda g: g.cut(LOG, 38), f"{GOOD}/run.json"),
    "an entry is changed": (lambda g: g.edit(LOG, '"attempt": 2', '"attempt": 1', count=1), LOG),
    "entries are exchanged": (
        lambda g: (g / LOG).write_text("\n".join(sorted((g / LOG).read_text().splitlines(), reverse=True)) + "\n"),
        LOG,
    ),
    "the interrupted attempt is forged away": (
        lambda g: g.forge(LOG, lambda entry: entry["kind"] != "interrupted"),
        LOG,
    ),
    "a run is forged away": (lambda g: g.forge(LOG, lambda entry: entry.get("run") != IDLE), f"{IDLE}/run.json"),
    "an entry without facts is forged": (
        lambda g: g.forge(LOG, lambda entry: entry.pop("record", None) and None),
        LOG,
    ),
    "an unknown entry is forged": (
        lambda g: g.forge(LOG, lambda e: e.update(kind="blessed") if e["kind"] == "results" else None),
        LOG,
    ),
    "half an entry is added": (lambda g: (g / LOG).open("a").write("xyz"), LOG),
    "the log is a pipe": (lambda g: (g.remove(LOG), os.mkfifo(g / LOG)), LOG),
    "the log is a link": (lambda g: (g.copy(LOG, "../log"), g.replace_by_link(LOG, "../log")), LOG),
    "the log has brackets without end": (lambda g: (g / LOG).write_text("[" * 10**6 + "\n"), LOG),
    "the options are changed": (lambda g: g.edit("options.json", '"parallel": 2', '"parallel": 4'), "options.json"),
    "the options are removed": (lambda g: g.remove("options.json"), "options.json"),
    "the copy of a run is called planned": (lambda g: call_planned(g), META),
    "the lock is a pipe": (lambda g: (g.remove(".lock"), os.mkfifo(g / ".lock")), ".lock"),
    "a file is added": (lambda g: (g / "README").write_text("trust me"), "README"),
    "an empty folder is added": (lambda g: (g / "demo-wine_new_seed-0").mkdir(), "demo-wine_new_seed-0"),
    "a name is not text": (lambda g: (g / os.fsdecode(b"\xff\x1b")).write_text(""), "\\udcff\\x1b"),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_change_of_a_group_is_found_there(group, places, name):
    tamper, place = TAMPERINGS[name]
    tamper(group)
    found = places(group)
    assert place in found, found


def call_planned(group):
    """Make the group's copy of a run the one before the run started."""
    update = {"status": "planned", "attempt": 0, "started_at": None, "ended_at": None, "ending": None, "verdict": None}
    update |= {"submission_bytes": None, "refused_files": 0, "snapshots": 0, "regrades": [], "usage": None}
    group.change_record(META, lambda record: record["runs"][IDLE].update(update))


AFTER_CLOSING = {
    "the last entry is removed": (lambda g: g.cut(LOG, 1), LOG),
    "half an entry is added": (lambda g: (g / LOG).open("a").write('{"number": 39, "ti'), LOG),
    "the copy of a run is an earlier one": (
        lambda g: g.change_record(META, lambda record: record["runs"][IDLE].update(regrades=[])),
        META,
    ),
    "the copy of a run is called planned": (call_planned, META),
    "a temporary file is added": (lambda g: (g / ".metadata.json.abcdefgh").write_text(""), ".metadata.json.abcdefgh"),
    "a temporary file is added to a run": (
        lambda g: (g / GOOD / ".run.json.abcdefgh").write_text(""),
        f"{GOOD}/.run.json.abcdefgh",
    ),
    "the lock has a content": (lambda g: (g / ".lock").write_text("x"), ".lock"),
    "the lock has another digest": (lambda g: (g / ".lock").write_text("0" * 64 + "\n"), LOG),
}
"""Changes that a kill may explain, until the group is closed."""


@pytest.mark.parametrize("name", AFTER_CLOSING)
def test_no_kill_explains_a_change_of_a_closed_group(closed_group, places, name):
    tamper, place = AFTER_CLOSING[name]
    tamper(closed_group)
    assert place in places(closed_group)


def test_a_group_without_its_record_is_still_a_group(group, places):
    group.remove(META)
    group.remove(LOG)
    assert places(group) == [META]


def test_a_link_to_a_group_is_followed(group):
    (group.parent / "link").symlink_to(group)
    assert verify(group.parent / "link") == []


def test_an_empty_folder_is_no_group(tmp_path):
    with pytest.raises(RunError, match="neither"):
        verify(tmp_path)


def test_remarks_say_what_is_open(group):
    assert remarks(group) == []
    shutil.rmtree(group / IDLE)
    record = json.loads((group / META).read_text())
    record["runs"][IDLE] |= {"status": "planned", "verdict": None}
    (group / META).write_text(json.dumps(record))
    assert remarks(group) == ["1 of 8 runs is not graded yet, so the digest will change."]
