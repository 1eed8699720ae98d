"""Each event of a run is one sentence."""

from mlebench.runs.story import story, tell


def test_every_event_of_a_run_has_a_sentence(arena, submit):
    from mlebench.runs.events import read_events

    run = arena.run_one(submit + "open('/home/code/a', 'w'); import os; os.symlink('a', '/home/code/b')")
    events = list(read_events(arena.folder / "runs/group" / run.run_id / "events.jsonl"))
    for _event, (_, kind, sentence) in zip(events, story(events), strict=True):
        assert sentence.endswith((".", "!")), sentence
        assert not sentence.startswith(f"{kind}:"), sentence
    assert tell({"kind": "unheard_of", "number": 3, "size": 7}) == "unheard_of: size 7."
