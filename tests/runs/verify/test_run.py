"""A run's record, attempts and links cannot be changed without a finding."""

from __future__ import annotations

import os

import pytest

from mlebench.runs.verify import verify

GOOD, IDLE, OTHER = "demo-wine_good_seed-0", "demo-wine_idle_seed-0", "demo-wine_good_seed-1"
PLANNED = {"status": "planned", "verdict": None, "regrades": []}


def flip_score(group):
    group.change_record(f"{IDLE}/run.json", lambda run: run["verdict"].update(outcome="graded", score=0.1))


def roll_back(group):
    group.change_run(GOOD, status="ended", verdict=None, regrades=[])


def roll_back_with_events(group):
    roll_back(group)
    group.cut(f"{GOOD}/attempts/2/events.jsonl", 5)
    group.remove(f"{GOOD}/attempts/2/curve.json")


def forget_the_attempt(group):
    """Make a killed run of a graded one, so that the same command would attempt it again."""
    group.change_run(IDLE, **PLANNED, ending=None, ended_at=None, started_at=None, attempt=1, submission_bytes=None)
    group.remove(f"{IDLE}/attempts/2")


def replace_attempts(group):
    (group / GOOD / "attempts").rename(group.parent / "attempts")
    (group / GOOD / "attempts").symlink_to(group.parent / "attempts")


TAMPERINGS = {
    "a score is invented": (flip_score, "run.json"),
    "the run is called planned": (lambda g: g.change_run(IDLE, **PLANNED), "run.json"),
    "the run is called running": (lambda g: g.change_run(IDLE, **PLANNED | {"status": "running"}), "run.json"),
    "the run is rolled back to ended": (roll_back, "run.json"),
    "the run is rolled back with its events": (roll_back_with_events, "run.json"),
    "the attempt that counts is forgotten": (forget_the_attempt, "run.json"),
    "the seed is changed": (lambda g: g.change_run(GOOD, seed=1), "metadata.json"),
    "the seed of the record is changed": (lambda g: g.edit(f"{GOOD}/run.json", '"seed": 0', '"seed": 1'), "run.json"),
    "the agent is changed": (lambda g: g.edit(f"{GOOD}/run.json", '"good"', '"idle"'), "run.json"),
    "the task is changed": (
        lambda g: g.edit(f"{GOOD}/run.json", '"version": "v1"', '"version": "v2"', count=1),
        "run.json",
    ),
    "a regrade is removed": (lambda g: g.change_run(GOOD, regrades=[]), "run.json"),
    "the number of attempts is changed": (lambda g: g.change_run(GOOD, attempt=1), "run.json"),
    "the number of attempts has no end": (lambda g: g.change_run(GOOD, attempt=10**8), "run.json"),
    "the number of attempts is negative": (lambda g: g.change_run(GOOD, attempt=-1), "run.json"),
    "white space is added": (lambda g: (g / GOOD / "run.json").open("a").write("\n"), "run.json"),
    "the record is removed": (lambda g: g.remove(f"{GOOD}/run.json"), "run.json"),
    "the record is another run's": (lambda g: g.copy(f"{OTHER}/run.json", f"{GOOD}/run.json"), "run.json"),
    "the record is a link": (
        lambda g: (g.copy(f"{GOOD}/run.json", "../run.json"), g.replace_by_link(f"{GOOD}/run.json", "../../run.json")),
        "run.json",
    ),
    "the record is a pipe": (lambda g: (g.remove(f"{GOOD}/run.json"), os.mkfifo(g / GOOD / "run.json")), "run.json"),
    "the record is a folder": (lambda g: (g.remove(f"{GOOD}/run.json"), (g / GOOD / "run.json").mkdir()), "run.json"),
    "the record has brackets without end": (lambda g: (g / GOOD / "run.json").write_text("[" * 10**6), "run.json"),
    "the record is not text": (lambda g: (g / GOOD / "run.json").write_bytes(b"\xff"), "run.json"),
    "the record is huge": (lambda g: os.truncate(g / GOOD / "run.json", 2**40), "run.json"),
    "the record is a list": (lambda g: (g / GOOD / "run.json").write_text("[]"), "run.json"),
    "the interrupted attempt is removed": (lambda g: g.remove(f"{GOOD}/attempts/1"), "attempts/1"),
    "the attempt that counts is removed": (lambda g: g.remove(f"{GOOD}/attempts/2"), "attempts/2"),
    "all attempts are removed": (lambda g: g.remove(f"{GOOD}/attempts"), "attempts"),
    "the attempts are exchanged": (
        lambda g: g.swap(f"{GOOD}/attempts/1", f"{GOOD}/attempts/2"),
        "attempts/1/events.jsonl",
    ),
    "an attempt is added": (lambda g: g.copy(f"{GOOD}/attempts/2", f"{GOOD}/attempts/3"), "attempts/3"),
    "an attempt has another name": (lambda g: g.copy(f"{GOOD}/attempts/2", f"{GOOD}/attempts/02"), "attempts/02"),
    "a file is added to the attempts": (lambda g: (g / GOOD / "attempts/notes").write_text(""), "attempts/notes"),
    "an attempt is a file": (
        lambda g: (g.remove(f"{GOOD}/attempts/1"), (g / GOOD / "attempts/1").write_text("")),
        "attempts/1",
    ),
    "an attempt is a link": (lambda g: g.replace_by_link(f"{GOOD}/attempts/1", "2"), "attempts/1"),
    "an attempt is another run's": (
        lambda g: (g.remove(f"{GOOD}/attempts/2"), g.copy(f"{OTHER}/attempts/1", f"{GOOD}/attempts/2")),
        "attempts/2/events.jsonl",
    ),
    "the attempts are a link out of the group": (replace_attempts, "attempts"),
    "the submission is a real folder": (
        lambda g: (g.remove(f"{GOOD}/submission"), g.copy(f"{GOOD}/attempts/2/submission", f"{GOOD}/submission")),
        "submission",
    ),
    "the log is a real file": (
        lambda g: (g.remove(f"{GOOD}/run.log"), (g / GOOD / "run.log").write_text("nothing to see")),
        "run.log",
    ),
    "the events are a real file": (
        lambda g: (g.remove(f"{GOOD}/events.jsonl"), g.copy(f"{GOOD}/attempts/2/events.jsonl", f"{GOOD}/events.jsonl")),
        "events.jsonl",
    ),
    "the link to the events is removed": (lambda g: g.remove(f"{GOOD}/events.jsonl"), "events.jsonl"),
    "a link leads to another attempt": (
        lambda g: g.replace_by_link(f"{GOOD}/run.log", "attempts/1/run.log"),
        "run.log",
    ),
    "a link leads to another run": (lambda g: g.replace_by_link(f"{GOOD}/code", f"../{OTHER}/attempts/1/code"), "code"),
    "a link is absolute": (lambda g: g.replace_by_link(f"{GOOD}/code", str(g / GOOD / "attempts/2/code")), "code"),
    "a link makes a detour": (lambda g: g.replace_by_link(f"{GOOD}/code", "attempts/1/../2/code"), "code"),
    "a link leads to another folder": (lambda g: g.replace_by_link(f"{GOOD}/code", "attempts/2/logs"), "code"),
    "a link leads to itself": (lambda g: g.replace_by_link(f"{GOOD}/submission", "submission"), "submission"),
    "a file is added": (lambda g: (g / GOOD / "verdict.json").write_text("{}"), "verdict.json"),
    "a link is added": (lambda g: (g / GOOD / "snapshots").symlink_to("attempts/2/snapshots"), "snapshots"),
    "a hidden folder is added": (lambda g: (g / GOOD / ".run.json.aaaaaaaa").mkdir(), ".run.json.aaaaaaaa"),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_change_of_a_run_is_found_there(group, places, name):
    tamper, place = TAMPERINGS[name]
    tamper(group)
    found = places(group)
    assert any(path.endswith(place) for path in found), found


def test_a_run_in_its_group_is_checked_against_the_groups_log(group, places):
    roll_back_with_events(group)
    assert "run.json" in places(group / GOOD)
    (group / GOOD).rename(group.parent / GOOD)  # without its group, it is an ended run that was not graded
    assert places(group.parent / GOOD) == []


def test_a_run_without_its_group_agrees_with_itself(group):
    (group / GOOD).rename(group.parent / GOOD)
    assert verify(group.parent / GOOD) == []
