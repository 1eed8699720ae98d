"""All processes of a job are found and killed."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

from mlebench.sandbox.supervision.job_processes import NamespaceProcesses, SubreaperProcesses
from mlebench.sandbox.supervision.messages import NamespaceStarted, Ready
from mlebench.sandbox.tokens import TOKEN_VARIABLE, new_token


@pytest.mark.parametrize("processes", [NamespaceProcesses(), SubreaperProcesses("t")], ids=["namespace", "subreaper"])
def test_a_job_that_has_not_started_has_no_processes(processes):
    processes.on_message(Ready(()))
    processes.terminate()
    assert processes.list_living() == []
    assert processes.measure_unmapped() == 0
    assert processes.kill()
    processes.close()


def test_a_namespace_whose_first_process_is_already_gone_is_empty():
    processes = NamespaceProcesses()
    processes.on_message(NamespaceStarted(2**22 + 1))  # beyond the largest process id
    assert processes.kill()


@pytest.mark.slow("programs")
def test_the_first_process_of_a_namespace_is_killed():
    with subprocess.Popen(["sleep", "300"]) as first:
        processes = NamespaceProcesses()
        processes.on_message(NamespaceStarted(first.pid))
        processes.on_message(NamespaceStarted(os.getpid()))  # only the first message counts
        assert processes.kill()
        assert first.wait(60) == -signal.SIGKILL
        processes.close()


@pytest.mark.slow("programs")
def test_a_process_that_left_the_subreaper_is_found_by_its_token():
    token = new_token()
    environment = os.environ | {TOKEN_VARIABLE: token}
    with (
        subprocess.Popen(["cat"], stdin=subprocess.PIPE) as first,
        subprocess.Popen(["sleep", "300"], env=environment) as stray,
    ):
        processes = SubreaperProcesses(token)
        processes.on_start(first)
        assert processes.kill()
        assert stray.wait(60) == -signal.SIGKILL
        assert first.poll() is None
        first.stdin.close()
        processes.close()
