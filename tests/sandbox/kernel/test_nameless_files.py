"""Deleted files and files in memory count once, as long as a process has them open or mapped."""

from __future__ import annotations

import mmap
import os
import shutil
import subprocess
import sys

import pytest

from mlebench.sandbox.kernel.memory_file import open_memory_file
from mlebench.sandbox.kernel.nameless_files import measure_deleted_files, measure_memory_files
from mlebench.sandbox.kernel.process_table import read_process
from tests.waiting import wait_until

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


THREAD = """
import ctypes, mmap, os, sys, threading
def hold():
    ctypes.CDLL(None).syscall(436, 1000, 1000, 2)  # close_range with CLOSE_RANGE_UNSHARE
    os.chdir(sys.argv[1])
    file = os.open("held", os.O_CREAT | os.O_RDWR, 0o700)
    os.write(file, bytes({size}))
    os.unlink("held")
    memory = os.memfd_create("held")
    os.write(memory, bytes({size}))
    print(flush=True)
    threading.Event().wait()
threading.Thread(target=hold).start()
{end}
"""
ENDS = {"own table": "", "first thread has ended": "ctypes.CDLL(None).pthread_exit(None)"}


@pytest.mark.slow("programs")
@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_files_of_a_thread_with_an_own_table_count(tmp_path, end):
    script = THREAD.format(size=SIZE, end=end)
    with subprocess.Popen([sys.executable, "-c", script, tmp_path], stdout=subprocess.PIPE) as child:
        try:
            child.stdout.readline()
            wait_until(lambda: not end or read_process(child.pid).task != child.pid)
            process = read_process(child.pid)
            assert last(measure_deleted_files([process], tmp_path.stat().st_dev)) == pytest.approx(SIZE, abs=65536)
            assert last(measure_memory_files([process])) == SIZE
        finally:
            child.kill()


@pytest.mark.slow("programs")
def test_a_program_that_runs_and_a_working_folder_count(tmp_path):
    program, folder = tmp_path / "program", tmp_path / "folder"
    shutil.copy(shutil.which("sleep"), program)
    folder.mkdir()
    size = program.stat().st_blocks * 512
    with subprocess.Popen([program, "300"], cwd=folder) as child:
        try:
            process = read_process(child.pid)
            assert last(measure_deleted_files([process], tmp_path.stat().st_dev)) == 0
            program.unlink()
            folder.rmdir()
            assert last(measure_deleted_files([process], tmp_path.stat().st_dev)) == size + 4096
        finally:
            child.kill()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root sees more than the size of a mapping")
def test_shared_memory_counts_when_its_pages_are_dropped_or_partly_unmapped(me):
    before = last(measure_memory_files([me]))
    with mmap.mmap(-1, SIZE) as memory:
        memory.write(bytes(SIZE))
        memory.madvise(mmap.MADV_DONTNEED)
        memory.resize(mmap.PAGESIZE)
        assert last(measure_memory_files([me])) - before == SIZE
    assert last(measure_memory_files([me])) == before


def test_pipes_count_beyond_a_normal_number(me, monkeypatch):
    before = last(measure_memory_files([me]))
    monkeypatch.setattr("mlebench.sandbox.kernel.nameless_files._FREE_PIPES", 1)
    pipes = [os.pipe() for _ in range(3)]
    try:
        assert last(measure_memory_files([me])) - before >= 2 * 8192
    finally:
        for descriptor in (descriptor for pair in pipes for descriptor in pair):
            os.close(descriptor)


def test_a_process_that_has_ended_holds_nothing(me):
    gone = me._replace(pid=2**22 + 1, task=2**22 + 1)  # beyond the largest process id
    assert last(measure_memory_files([gone])) == 0
