"""Memory that processes share counts once."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys

import pytest

from mlebench.sandbox.kernel.process_memory import measure_memory, measure_page_tables
from mlebench.sandbox.kernel.process_table import read_process

SIZE = 64 << 20


@pytest.fixture
def me():
    return read_process(os.getpid())


def test_private_and_shared_memory_are_told_apart(me):
    before = measure_memory([me])
    with mmap.mmap(-1, SIZE) as shared:
        shared.write(bytes(SIZE))
        private = bytearray(b"x") * SIZE
        after = measure_memory([me])
    assert after.shared - before.shared == pytest.approx(SIZE, rel=0.1)
    assert after.private - before.private == pytest.approx(len(private), rel=0.1)
    assert measure_memory([]) == (0, 0, 0)


@pytest.mark.slow("programs")
def test_a_child_that_shares_the_memory_of_its_parent_counts_once():
    script = """
import ctypes, os, signal, time
hoard = bytearray(b"x") * SIZE
stack = ctypes.create_string_buffer(1 << 16)
pause = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda _: time.sleep(300) or 0)
child = ctypes.PyDLL(None).clone(
    ctypes.CDLL(None).pause, ctypes.c_void_p(ctypes.addressof(stack) + (1 << 15)), 0x100 | signal.SIGCHLD, None
)  # CLONE_VM
print(child, flush=True)
time.sleep(300)
"""
    with subprocess.Popen([sys.executable, "-c", script.replace("SIZE", str(SIZE))], stdout=subprocess.PIPE) as parent:
        child = 0
        try:
            child = int(parent.stdout.readline())
            family = [read_process(parent.pid), read_process(child)]
            assert sum(process.resident for process in family) > 2 * SIZE
            assert SIZE < measure_memory(family).private < 1.6 * SIZE
        finally:
            parent.kill()
            if child:
                os.kill(child, 9)


def test_page_tables_grow_with_mappings_that_hold_no_memory(me):
    before = measure_page_tables(me.task)
    with mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ) as sparse:
        sparse.madvise(mmap.MADV_NOHUGEPAGE)
        assert not any(sparse[place] for place in range(0, 1 << 30, 1 << 21))
        assert measure_page_tables(me.task) - before > 1 << 20
