"""The processes of this machine."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from mlebench.sandbox.kernel.process_table import list_tasks, read_process, send_signal
from tests.waiting import wait_until


@pytest.mark.slow("programs")
def test_a_signal_does_not_reach_a_newer_process_with_the_same_id():
    child = subprocess.Popen(["sleep", "30"])
    try:
        process = read_process(child.pid)
        assert not send_signal(process._replace(started=process.started - 1), signal.SIGKILL)
        assert child.poll() is None
        assert send_signal(process, signal.SIGKILL)
        assert child.wait(60) == -signal.SIGKILL
    finally:
        child.kill()
        child.wait()


@pytest.mark.slow("programs")
def test_a_process_lives_as_long_as_one_of_its_threads():
    script = """
import ctypes, threading, time
def work():
    hoard = bytearray(b"x") * (32 << 20)
    print(flush=True)
    time.sleep(300)
threading.Thread(target=work).start()
ctypes.CDLL(None).pthread_exit(None)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as child:
        try:
            child.stdout.readline()
            wait_until(lambda: read_process(child.pid).task != child.pid)
            process = read_process(child.pid)
            assert process.resident > 32 << 20
            assert list_tasks(child.pid)[0] == child.pid
            assert process.task in list_tasks(child.pid)[1:]
            assert send_signal(process, signal.SIGKILL)
        finally:
            child.kill()


@pytest.mark.slow("programs")
def test_a_process_that_nobody_has_waited_for_has_ended():
    child = subprocess.Popen(["true"])
    try:
        wait_until(lambda: read_process(child.pid) is None)
    finally:
        child.wait()
    assert list_tasks(child.pid) == []
