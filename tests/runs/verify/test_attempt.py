"""What happened in an attempt cannot be changed without a finding."""

from __future__ import annotations

import os

import pytest

from mlebench.runs.removal import remove_tree

GOOD, IDLE = "demo-wine_good_seed-0", "demo-wine_idle_seed-0"
LAST, FIRST = f"{GOOD}/attempts/2", f"{GOOD}/attempts/1"
"""The attempt that counts, and the interrupted one before it."""


def drop_grading(event):
    return event["kind"] not in ("graded", "curve")


def improve(event):
    if event["kind"] == "graded":
        event["score"] = 0.01


TAMPERINGS = {
    "an event is changed": (lambda g: g.edit(f"{LAST}/events.jsonl", '"attempt": 2', '"attempt": 3'), "events.jsonl"),
    "an event is spelled otherwise": (lambda g: g.edit(f"{LAST}/events.jsonl", ": ", ":", count=1), "events.jsonl"),
    "the last event is removed": (lambda g: g.cut(f"{LAST}/events.jsonl", 1), "events.jsonl"),
    "all events of grading are removed": (lambda g: g.cut(f"{LAST}/events.jsonl", 5), "events.jsonl"),
    "the events are emptied": (lambda g: (g / LAST / "events.jsonl").write_text(""), "events.jsonl"),
    "the events are removed": (lambda g: g.remove(f"{LAST}/events.jsonl"), "events.jsonl"),
    "the chain is built again": (lambda g: g.forge(f"{LAST}/events.jsonl", improve), "events.jsonl"),
    "events are dropped, and the chain is built again": (
        lambda g: g.forge(f"{LAST}/events.jsonl", drop_grading),
        "events.jsonl",
    ),
    "half a line is added": (
        lambda g: (g / LAST / "events.jsonl").open("a").write('{"number": 12, "time": "no'),
        "events.jsonl",
    ),
    "an event is added to an interrupted attempt": (
        lambda g: (g / FIRST / "events.jsonl").open("a").write('{"number": 9, "time": "'),
        "events.jsonl",
    ),
    "the log of another run takes the place": (
        lambda g: g.copy(f"{IDLE}/attempts/2/events.jsonl", f"{LAST}/events.jsonl"),
        "events.jsonl",
    ),
    "an event has brackets without end": (
        lambda g: (g / LAST / "events.jsonl").write_text("[" * 10**6 + "\n"),
        "events.jsonl",
    ),
    "an event is not text": (lambda g: (g / LAST / "events.jsonl").write_bytes(b"\xff\xfe\n"), "events.jsonl"),
    "events have no end": (lambda g: os.truncate(g / LAST / "events.jsonl", 2**40), "events.jsonl"),
    "the submission is changed": (
        lambda g: g.edit(f"{LAST}/submission/submission.csv", "0", "1"),
        "submission/submission.csv",
    ),
    "a file is removed": (lambda g: g.remove(f"{LAST}/code/mine.py"), "code/mine.py"),
    "a file is added": (lambda g: (g / LAST / "code" / "more.py").write_text("pass"), "code/more.py"),
    "a file is added beside": (lambda g: (g / LAST / "notes.txt").write_text("x"), "notes.txt"),
    "a file is replaced by a link to its copy": (
        lambda g: (
            g.copy(f"{LAST}/code/mine.py", f"{GOOD}/mine.py"),
            g.replace_by_link(f"{LAST}/code/mine.py", "../../../mine.py"),
        ),
        "code/mine.py",
    ),
    "a folder is replaced by a link": (
        lambda g: g.replace_by_link(f"{LAST}/code", "../../../demo-wine_good_seed-1/attempts/1/code"),
        "code",
    ),
    "a link leads to itself": (lambda g: g.replace_by_link(f"{LAST}/run.log", "run.log"), "run.log"),
    "a file is replaced by a pipe": (
        lambda g: (g.remove(f"{LAST}/run.log"), os.mkfifo(g / LAST / "run.log")),
        "run.log",
    ),
    "the events are replaced by a pipe": (
        lambda g: (g.remove(f"{LAST}/events.jsonl"), os.mkfifo(g / LAST / "events.jsonl")),
        "events.jsonl",
    ),
    "a file is endless": (lambda g: os.truncate(g / LAST / "instructions.txt", 2**42), "instructions.txt"),
    "an empty folder is added": (lambda g: (g / LAST / "submission" / "submission.csv.d").mkdir(), ""),
    "an empty folder is removed": (lambda g: g.remove(f"{IDLE}/attempts/2/code"), ""),
    "the name is not text": (lambda g: (g / LAST / os.fsdecode(b"code/\xff\n")).write_text(""), "code/\\udcff\\n"),
    "the seal is changed": (lambda g: g.edit(f"{LAST}/SHA256SUMS", "a", "b"), "SHA256SUMS"),
    "the seal is removed": (lambda g: g.remove(f"{LAST}/SHA256SUMS"), "SHA256SUMS"),
    "the curve is changed": (lambda g: g.edit(f"{LAST}/curve.json", '"score": 1', '"score": 0'), "curve.json"),
    "the curve is removed": (lambda g: g.remove(f"{LAST}/curve.json"), "curve.json"),
    "the curve is a folder": (
        lambda g: (g.remove(f"{LAST}/curve.json"), (g / LAST / "curve.json").mkdir()),
        "curve.json",
    ),
    "a curve is added": (lambda g: g.copy(f"{LAST}/curve.json", f"{IDLE}/attempts/2/curve.json"), "curve.json"),
    "the log of an interrupted attempt is changed": (
        lambda g: (g / FIRST / "run.log").write_text("never mind"),
        "run.log",
    ),
    "events of an interrupted attempt are removed": (lambda g: g.cut(f"{FIRST}/events.jsonl", 3), "events.jsonl"),
    "the events of an interrupted attempt are removed": (lambda g: g.remove(f"{FIRST}/events.jsonl"), "events.jsonl"),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_change_of_an_attempt_is_found_there(group, places, name):
    tamper, place = TAMPERINGS[name]
    tamper(group)
    found = places(group)
    assert found, name
    assert any("/attempts/" in path and path.endswith(place) for path in found), found


def test_folders_that_are_nested_deeply_are_found(group, places):
    place = group / LAST / "code"
    while len(str(place)) < 4000:
        place = place / "d"
        place.mkdir()
    found = places(group)
    remove_tree(group / LAST)  # what cleans up after tests fails at this depth
    assert found == [LAST]
