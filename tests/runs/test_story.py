"""Each event of a run is one sentence."""

import json

import pytest

from mlebench.errors import RunError
from mlebench.runs.story import log, story, tell

from ..analysis.records import make_run, make_verdict


def test_every_event_of_a_run_has_a_sentence(arena, submit):
    from mlebench.runs.events import read_events

    run = arena.run_one(submit + "open('/home/code/a', 'w'); import os; os.symlink('a', '/home/code/b')")
    events = list(read_events(arena.folder / "runs/group" / run.run_id / "events.jsonl"))
    for _event, (_, kind, sentence) in zip(events, story(events), strict=True):
        assert sentence.endswith((".", "!")), sentence
        assert not sentence.startswith(f"{kind}:"), sentence
    assert tell({"kind": "unheard_of", "number": 3, "size": 7}) == "unheard_of: size 7."


TIME = "2025-03-01T09:00:00+00:00"


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"kind": "run"},
        {"kind": [], "time": TIME},
        {"kind": "run", "time": 5},
        {"kind": "run", "time": "noon"},
        {"kind": "run", "time": TIME[:-6]},
    ],
)
def test_a_damaged_event_is_named(tmp_path, event):
    run = make_run(verdict=make_verdict())
    (tmp_path / "run.json").write_text(run.as_file())
    events = tmp_path / "attempts" / "1" / "events.jsonl"
    events.parent.mkdir(parents=True)
    events.write_text(json.dumps({"kind": "run", "time": TIME}) + "\n" + json.dumps(event) + "\n")
    with pytest.raises(RunError, match=r"Event 1 of .* is damaged"):
        log(tmp_path)


@pytest.mark.parametrize("value", [None, 5, 10**400, [], {}, "\ud800\n"])
@pytest.mark.parametrize("kind", ["run", "limits", "check", "snapshot", "ended", "graded", "curve", "salvaged"])
def test_facts_of_any_type_make_a_printable_sentence(kind, value):
    names = (
        "attempt",
        "size",
        "bytes",
        "sha256",
        "seconds",
        "reason",
        "exit_code",
        "score",
        "medal",
        "outcome",
        "points",
    )
    assert tell({"kind": kind, **dict.fromkeys(names, value)}).isprintable()
