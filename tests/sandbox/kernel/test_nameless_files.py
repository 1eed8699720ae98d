"""Deleted files and files in memory count once, as long as a process has them open or mapped."""

from __future__ import annotations

import mmap
import os

import pytest

from mlebench.sandbox.kernel.memory_file import open_memory_file
from mlebench.sandbox.kernel.nameless_files import measure_deleted_files, measure_memory_files
from mlebench.sandbox.kernel.process_table import read_process

SIZE = 1 << 20


@pytest.fixture
def me():
    return read_process(os.getpid())


def last(values):
    *_, found = values
    return found


def test_a_deleted_file_counts_while_it_is_open(tmp_path, me):
    device = tmp_path.stat().st_dev
    before = last(measure_deleted_files([me], device))
    with (tmp_path / "file").open("wb") as file:
        file.write(bytes(SIZE))
        file.flush()
        assert last(measure_deleted_files([me], device)) == before  # it still has a name
        (tmp_path / "file").unlink()
        again = os.dup(file.fileno())
        assert last(measure_deleted_files([me], device)) - before == pytest.approx(SIZE, abs=65536)
        os.close(again)
    assert last(measure_deleted_files([me], device)) == before


def test_a_file_in_memory_counts_while_it_is_open_or_mapped(me):
    before = last(measure_memory_files([me]))
    descriptor = open_memory_file(bytes(SIZE))
    assert last(measure_memory_files([me])) - before == SIZE
    with mmap.mmap(descriptor, SIZE):
        assert last(measure_memory_files([me])) - before == SIZE
        os.close(descriptor)
        assert last(measure_memory_files([me])) - before == SIZE
    assert last(measure_memory_files([me])) == before


def test_a_process_that_has_ended_holds_nothing(me):
    gone = me._replace(pid=2**22 + 1)  # beyond the largest process id
    assert last(measure_memory_files([gone])) == 0
