import tarfile
import threading
from pathlib import Path

import pytest

from mlebench.runs.chain import read_chain
from mlebench.runs.group_log import GroupLog
from mlebench.runs.history import History, Step
from mlebench.runs.reader import read_record
from mlebench.runs.record import GroupRecord


@pytest.fixture
def record(tmp_path):
    """The record of a group with eight runs."""
    with tarfile.open(Path(__file__).parent / "groups" / "without_log.tar.xz") as archive:
        archive.extract("old/metadata.json", tmp_path)
    return read_record(tmp_path / "old" / "metadata.json", GroupRecord)


def step(kind, run="r", attempt=1):
    return Step(kind, run, attempt, "record", 0, "0" * 64)


def test_a_log_is_continued_with_what_it_knows(tmp_path, record):
    log = GroupLog.open(tmp_path, record, is_new=True)
    log.add_options(2, None)
    log.add(step("started"))
    log.add_results({"a": "b"})
    log.close()
    log = GroupLog.open(tmp_path, record, is_new=False)
    assert log.last("r") == step("started")
    assert log.last("other") is None
    assert log.results == {"a": "b"}
    log.add_options(2, None)  # as before
    log.add_results({"a": "b"})
    log.close()
    chain = read_chain(tmp_path / "group.jsonl")
    assert [event.kind for event in chain.links] == ["opened", "options", "started", "results"]
    assert chain.links[0].facts["runs"] == list(record.runs)


def test_threads_write_one_chain(tmp_path, record):
    log = GroupLog.open(tmp_path, record, is_new=True)

    def work(run):
        for kind in ("started", "ended", "graded"):
            log.add(step(kind, run))

    threads = [threading.Thread(target=work, args=(f"run-{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log.close()
    chain = read_chain(tmp_path / "group.jsonl")
    assert (len(chain.links), chain.broken) == (25, None)
    assert History.of(chain.links).problems == []
