"""Tasks that share their memory or their open files count once."""

from __future__ import annotations

import os
import subprocess
import threading

import pytest

from mlebench.sandbox.kernel.comparison import Resource, find_distinct


@pytest.mark.slow("programs")
def test_threads_share_what_processes_do_not():
    me, other = os.getpid(), threading.Event()
    thread = threading.Thread(target=other.wait)
    thread.start()
    try:
        with subprocess.Popen(["sleep", "300"]) as child:
            for resource in Resource:
                assert find_distinct([me, thread.native_id, child.pid, me], resource) == [me, child.pid]
            child.kill()
    finally:
        other.set()
        thread.join()


def test_nothing_is_left_out_where_the_kernel_does_not_tell():
    gone = [2**22 + 1, 2**22 + 2]  # beyond the largest process id
    assert find_distinct(gone, Resource.KCMP_FILES) == gone
