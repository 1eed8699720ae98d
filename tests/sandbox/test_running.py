"""What every sandbox does for a job: command, log, folders, environment, port forwards."""

from __future__ import annotations

import json
import socketserver
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import MiB
from mlebench.sandbox.port_forward import PortForward


@pytest.mark.parametrize(("command", "code"), [("exit 0", 0), ("exit 3", 3), ("kill -SEGV $$", 139)])
def test_the_exit_code_decides_between_finished_and_crashed(bench, sandbox, command, code):
    result = bench(sandbox, "sh", "-c", command)
    assert result.ending.exit_code == code
    assert result.ending.reason is (Reason.CRASHED if code else Reason.FINISHED)
    assert [kind for kind, _ in result.events.received if kind in ("started", "ended")] == ["started", "ended"]


def test_a_missing_program_is_a_crash_of_the_job(bench, sandbox):
    result = bench(sandbox, "no-such-program")
    assert (result.ending.reason, result.ending.exit_code) == (Reason.CRASHED, 127)
    assert "no-such-program" in result.log


def test_the_log_has_both_outputs_in_order(bench, sandbox):
    result = bench(sandbox, "sh", "-c", "echo one; echo two >&2; echo three >/dev/stdout; pwd")
    lines = result.log.splitlines()
    assert lines[:3] == ["one", "two", "three"]
    assert lines[3].endswith("/agent")


def test_output_beyond_the_limit_is_dropped_and_counted(bench, sandbox):
    result = bench(sandbox, "sh", "-c", "yes | head -c 5000000", log=10_000)
    assert result.log.startswith("y\ny\n")
    assert len(result.log) < 10_200
    assert "4990000 more bytes were dropped" in result.log.splitlines()[-1]
    assert result.events.of("ended")[0]["dropped"] == 4_990_000
    assert [facts["limit"] for facts in result.events.of("limit")] == ["log"]


def test_a_job_finds_its_folders_and_a_scientific_python(bench, sandbox):
    script = """
import os, numpy, pathlib
data = pathlib.Path(os.environ["DATA_DIR"], "train.csv").read_text()
for name in ("SUBMISSION_DIR", "CODE_DIR", "LOGS_DIR", "AGENT_DIR"):
    pathlib.Path(os.environ[name], "out.txt").write_text(data)
assert pathlib.Path(os.environ["INSTRUCTIONS"]).read_text() == "Predict y.\\n"
assert pathlib.Path.cwd() == pathlib.Path(os.environ["AGENT_DIR"])
"""
    result = bench.python(sandbox, script)
    assert result.ending.reason is Reason.FINISHED, result.log
    for name in ("submission", "code", "logs", "agent"):
        assert (result.home / name / "out.txt").read_text() == "id,y\n1,2\n"


def test_no_variable_of_the_harness_reaches_the_job(bench, sandbox, monkeypatch):
    monkeypatch.setenv("KAGGLE_KEY", "secret")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    script = "import json, os; print(json.dumps(dict(os.environ)))"
    result = bench.python(sandbox, script, environment={"COMPETITION_ID": "x"}, cpus=1.5, seconds=700)
    variables = json.loads(result.log)
    assert set(variables) - {"MLEBENCH_JOB", "PWD", "LC_CTYPE", "TOOLS_DIR"} == {
        *("PATH", "LANG", "HOME", "PYTHONDONTWRITEBYTECODE", "TIME_LIMIT_SECS", "COMPETITION_ID"),
        *("DATA_DIR", "SUBMISSION_DIR", "CODE_DIR", "LOGS_DIR", "AGENT_DIR", "INSTRUCTIONS"),
        *("CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
    }
    assert variables["TIME_LIMIT_SECS"] == "700"
    assert variables["OMP_NUM_THREADS"] == "2"
    assert variables["HOME"] == variables["AGENT_DIR"]


class Upper(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(self.rfile.read().upper())


@contextmanager
def upper_server(path):
    with socketserver.ThreadingUnixStreamServer(str(path), Upper) as server:
        path.chmod(0o666)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


def test_a_port_forward_leads_to_the_harness(bench, sandbox, tmp_path):
    script = """
import os, socket, urllib.parse
address = urllib.parse.urlsplit(os.environ["UPPER_URL"])
for _ in range(3):
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall(b"hello" * 100_000)
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer == b"HELLO" * 100_000
try:
    print(os.waitpid(-1, 0))
except ChildProcessError:
    print("no further child")
"""
    with upper_server(tmp_path / "s"):
        result = bench.python(sandbox, script, port_forwards=(PortForward(5999, tmp_path / "s", {"UPPER_URL": ""}),))
    assert result.ending.reason is Reason.FINISHED, result.log
    assert result.log == "no further child\n"
    assert result.events.of("hole")[0]["variables"] == ["UPPER_URL"]


def test_two_jobs_can_forward_the_same_port_at_once(bench, sandbox, tmp_path):
    results = []
    script = """
import os, socket, time, urllib.parse
address = urllib.parse.urlsplit(os.environ["UPPER_URL"])
time.sleep(0.5)
with socket.create_connection((address.hostname, address.port)) as connection:
    connection.sendall(b"a")
    connection.shutdown(socket.SHUT_WR)
    print(connection.recv(9))
"""
    forward = PortForward(5998, tmp_path / "s", {"UPPER_URL": ""})
    with upper_server(tmp_path / "s"):
        threads = [
            threading.Thread(target=lambda: results.append(bench.python(sandbox, script, port_forwards=(forward,))))
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [result.log for result in results] == ["b'A'\n"] * 2


def test_port_forwards_stay_open_after_sigterm(bench, sandbox, tmp_path):
    script = """
import os, signal, socket, sys, time, urllib.parse
address = urllib.parse.urlsplit(os.environ["UPPER_URL"])
def late(*_):
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall(b"late")
        connection.shutdown(socket.SHUT_WR)
        print(connection.recv(9).decode(), flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, late)
print("up", flush=True)
time.sleep(1000)
"""
    forward = PortForward(5997, tmp_path / "s", {"UPPER_URL": ""})
    with upper_server(tmp_path / "s"):
        command = ("{python}", "-c", script)
        result = bench.to_the_limit(sandbox, *command, seconds=5, ready=1, port_forwards=(forward,), grace=60)
    assert result.log == "up\nLATE\n"
    assert (result.ending.reason, result.ending.exit_code) == (Reason.TIME, 0)


def test_a_sandbox_can_run_jobs_from_many_threads(bench, sandbox):
    endings = []

    def one(code):
        endings.append((code, bench(sandbox, "sh", "-c", f"sleep 0.2; exit {code}").ending.exit_code))

    threads = [threading.Thread(target=one, args=(code,)) for code in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(endings) == [(code, code) for code in range(5)]


def test_the_peak_of_memory_is_measured(bench, enforced):
    result = bench.python(enforced, "b = bytearray(200_000_000); import time; time.sleep(3)")
    assert 150 * MiB < result.ending.peak_memory < 300 * MiB  # polling may miss the exact peak


def test_no_descriptor_or_thread_is_left(bench, sandbox):
    def open_files():
        return len(list(Path("/proc/self/fd").iterdir()))

    bench(sandbox, "true")
    before, threads = open_files(), threading.active_count()
    for _ in range(3):
        bench(sandbox, "true")
    assert (open_files(), threading.active_count()) == (before, threads)
