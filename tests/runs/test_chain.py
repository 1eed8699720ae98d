"""A chain is read up to the first event that was changed, whatever the file contains."""

import json
import os

import pytest

from mlebench.errors import RunError
from mlebench.runs.chain import START, as_line, link, read_chain
from mlebench.runs.events import EventLog


@pytest.fixture
def path(tmp_path):
    with EventLog(tmp_path / "events.jsonl") as log:
        for number in range(4):
            log("check" if number % 2 else "run", size=number, text="ümlaut \ud800")
    return log.path


def test_the_head_is_the_value_after_the_last_event(path):
    chain = read_chain(path)
    last = json.loads(path.read_text().splitlines()[-1])
    assert (chain.head, chain.broken, chain.rest) == (last["chain"], None, b"")
    assert chain.after(0) == START
    assert chain.after(4) == chain.head
    assert chain.after(5) == chain.after(-1) == ""
    assert [facts["size"] for facts in chain.facts("run")] == [0, 2]


@pytest.mark.parametrize(
    ("line", "broken"),
    [
        (b"{}", 4),
        (b"[]", 4),
        (b"nonsense", 4),
        (b"\xff", 4),
        (b"", 4),
        (b"[" * 100_000, 4),
        (b'{"number": 4}', 4),
        (b'{"number": NaN, "kind": [], "chain": {}, "time": 1}', 4),
        (b"1" * 10_000, 4),
    ],
)
def test_a_line_that_no_log_has_is_the_first_broken_event(path, line, broken):
    path.write_bytes(path.read_bytes() + line + b"\n")
    chain = read_chain(path)
    assert chain.broken == broken
    assert len(chain.links) == 4


@pytest.mark.parametrize("missing", ["kind", "time"])
def test_an_event_without_its_frame_is_broken_though_its_chain_is_right(path, missing):
    event = {name: value for name, value in {"number": 4, "time": "now", "kind": "run"}.items() if name != missing}
    line = as_line({**event, "chain": link(read_chain(path).head, event)})
    path.write_text(path.read_text() + line)
    assert read_chain(path).broken == 4


@pytest.mark.parametrize(
    ("rest", "is_possible"),
    [
        ("", True),
        ("{", True),
        ('{"number": 4, "time": "20', True),
        ('{"number": 5, "time": "20', False),
        ('{"number": 4, "time": "", "kind": "run"}x', False),
        ("x", False),
    ],
)
def test_a_cut_off_line_is_the_beginning_of_the_next_event(path, rest, is_possible):
    path.write_text(path.read_text() + rest)
    chain = read_chain(path)
    assert (len(chain.links), chain.broken, chain.rest) == (4, None, rest.encode())
    assert chain.is_rest_possible is is_possible


def test_what_is_no_file_raises_an_error(path):
    os.truncate(path, 2**40)
    with pytest.raises(RunError, match="at most"):
        read_chain(path)
    path.unlink()
    with pytest.raises(RunError, match="missing"):
        read_chain(path)
