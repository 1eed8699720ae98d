import json

import pytest

from mlebench.errors import RunError
from mlebench.runs.chain import read_chain
from mlebench.runs.events import EventLog, read_events


def written(tmp_path):
    path = tmp_path / "events.jsonl"
    with EventLog(path) as log:
        for number in range(5):
            log("check", size=number, answer="Submission is valid.")
    return path


def test_events_keep_their_order_and_facts(tmp_path):
    events = list(read_events(written(tmp_path)))
    assert [event["number"] for event in events] == list(range(5))
    assert [event["size"] for event in events] == list(range(5))
    assert read_chain(written_path := tmp_path / "events.jsonl").broken is None
    assert written_path.stat().st_size > 0


def test_any_changed_event_breaks_the_chain_there(tmp_path):
    path = written(tmp_path)
    lines = path.read_text().splitlines()
    changed = json.loads(lines[2]) | {"size": 99}
    path.write_text("\n".join([*lines[:2], json.dumps(changed), *lines[3:]]) + "\n")
    assert read_chain(path).broken == 2


def test_a_removed_event_breaks_the_chain(tmp_path):
    path = written(tmp_path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], *lines[2:]]) + "\n")
    assert read_chain(path).broken == 1


def test_a_line_cut_off_by_a_crash_is_skipped(tmp_path):
    path = written(tmp_path)
    path.write_bytes(path.read_bytes()[:-20])
    assert len(list(read_events(path))) == 4
    assert read_chain(path).broken is None


def test_an_event_after_the_end_is_dropped(tmp_path):
    path = tmp_path / "events.jsonl"
    with EventLog(path) as log:
        log("run")
    log("late")
    assert len(list(read_events(path))) == 1


def test_a_fact_cannot_have_the_name_of_a_common_field(tmp_path):
    with EventLog(tmp_path / "events.jsonl") as log, pytest.raises(ValueError, match="number"):
        log("model_call", number=3)


def test_a_resumed_log_continues_its_chain(tmp_path):
    path = written(tmp_path)
    path.write_bytes(path.read_bytes() + b'{"cut off')
    with EventLog(path, resume=True) as log:
        log("graded", score=float("nan"))
    assert [event["number"] for event in read_events(path)] == list(range(6))
    assert read_chain(path).broken is None


def test_a_log_that_was_changed_is_not_resumed(tmp_path):
    path = written(tmp_path)
    path.write_text(path.read_text().replace('"size": 2', '"size": 3'))
    with pytest.raises(RunError, match="was changed"):
        EventLog(path, resume=True).__enter__()
