"""What sandboxes with isolation hide from a job, and what they provide."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import mlebench
from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox import python_install
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.port_forward import PortForward

SOURCE = Path(mlebench.__file__).parents[1]


def test_a_job_runs_without_root_and_capabilities(bench, isolating):
    script = "id -u; grep -E '^(Cap(Prm|Eff|Bnd|Inh|Amb)|NoNewPrivs)' /proc/self/status; hostname; ls /proc"
    lines = bench(isolating, "sh", "-c", script).log.splitlines()
    assert int(lines[0]) != 0
    facts = dict(line.split(":\t") for line in lines[1:7])
    assert facts.pop("NoNewPrivs") == "1"
    assert set(facts.values()) == {"0" * 16}
    assert lines[7] == "sandbox"
    assert len([line for line in lines if line.isdigit()]) < 8


def test_everything_but_the_folders_of_the_job_is_read_only(bench, isolating):
    paths = [
        *("/home/data/new", "/home/data/train.csv", "/home/instructions.txt", "/usr/new", "/etc/new", "/new"),
        *("/home/new", "/run/new", "/dev/new", "/etc/passwd", "/etc/hosts", "/sys/new", "/proc/sys/kernel/hostname"),
        *("/run/harness/entrypoint/main.py", "/run/harness/entrypoint/new", "/run/harness/new"),
        *(sys.prefix + "/new", "/opt/venv/new"),
    ]
    script = "".join(f"(echo x >> {path}) 2>/dev/null && echo {path}; " for path in paths)
    assert bench(isolating, "sh", "-c", script + "true").log == ""


def test_a_job_cannot_change_its_data(bench, isolating):
    script = "rm -f /home/data/train.csv; chmod 777 /home/data; mv /home/data /home/d; touch /home/data/train.csv"
    bench(isolating, "sh", "-c", script)
    assert (bench.data / "train.csv").read_text() == "id,y\n1,2\n"


def test_a_closed_network_reaches_nothing(bench, isolating):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        script = f"""
import socket
for host, port in (("127.0.0.1", {port}), ("192.0.2.1", 80), ("1.1.1.1", 53), ("pypi.org", 443)):
    try:
        socket.create_connection((host, port), timeout=3)
    except OSError as error:
        print(type(error).__name__)
    else:
        print("connected to", host)
print([name for _, name in socket.if_nameindex()])
"""
        lines = bench.python(isolating, script).log.splitlines()
        assert lines == ["ConnectionRefusedError", "OSError", "OSError", "gaierror", "['lo']"]


def test_files_of_the_host_are_hidden(bench, bubblewrap, tmp_path):
    (tmp_path / "answers.csv").write_text("secret")
    script = f"cat {tmp_path}/answers.csv; ls /home /root /etc /sys /var /mnt /work; find / -xdev -name 'answers*'"
    result = bench(bubblewrap, "sh", "-c", script)
    assert "secret" not in result.log
    assert "shadow" not in result.log
    assert "\n/" not in result.log.replace("\n/home:", "").replace("\n/etc:", "").replace("\n/root:", "")


def test_answers_are_hidden(bench, isolating, tmp_path):
    (tmp_path / "answers.csv").write_text("secret")
    script = (
        f"cat {tmp_path}/answers.csv; ls {tmp_path}; ls /root; cat /etc/shadow; find / -xdev -name 'answers*'; ls /home"
    )
    result = bench(isolating, "sh", "-c", f"({script}) 2>/dev/null")
    assert result.log.split() == ["agent", "code", "data", "instructions.txt", "logs", "submission"]


def test_proc_shows_nothing_of_the_harness(bench, bubblewrap, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_HARNESS", "x")
    script = r"""
tr '\0' ' ' </proc/1/cmdline
for file in /proc/[0-9]*/environ /proc/[0-9]*/cmdline; do tr '\0' ' ' <$file; done 2>/dev/null
ls -l /proc/self/fd /proc/1/fd /proc/1/cwd 2>/dev/null
cat /proc/self/cgroup /proc/self/status
"""
    result = bench(bubblewrap, "sh", "-c", script)
    assert result.log.split()[0].endswith("bwrap")
    assert result.log.split()[1] == "--args"
    for secret in ("SECRET_OF_THE_HARNESS", str(bench.folder), "run-1", "mlebench-", str(SOURCE)):
        assert secret not in result.log


def test_mlebench_cannot_be_imported(bench, bubblewrap):
    script = """
import importlib.util, sys
try:
    import mlebench
except ModuleNotFoundError:
    print("none")
import numpy, pandas, sklearn
"""
    result = bench.python(bubblewrap, script)
    assert (result.log, result.ending.reason) == ("none\n", Reason.FINISHED)


def test_a_data_folder_that_every_job_would_see_is_refused(bench, bubblewrap, tmp_path, monkeypatch):
    tmp_path.chmod(0o755)
    monkeypatch.setattr(python_install, "harness_python_prefixes", lambda: [tmp_path])
    with pytest.raises(SandboxUnavailableError, match="which every job in bubblewrap sees"):
        bench(bubblewrap, "true")


def test_data_that_the_user_of_jobs_cannot_read_are_refused(bench, isolating):
    if os.geteuid() != 0:
        pytest.skip("without root's rights the job's user is the owner")
    bench.data.chmod(0o700)
    with pytest.raises(SandboxUnavailableError, match=r"chmod -R o\+rX"):
        bench(isolating, "true")


def test_tools_and_multiprocessing_work(bench, isolating, tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "hello.sh").write_text("#!/bin/sh\necho hello\n")
    script = """
import multiprocessing, subprocess, sys, tempfile
subprocess.run(["/home/hello.sh"], check=True)
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(abs, [-1, -2]))
tempfile.TemporaryFile().write(b"x")
"""
    assert bench.python(isolating, script, tools=tools).log == "hello\n[1, 2]\n"


def test_the_folder_of_sockets_is_read_only(bench, isolating, tmp_path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        server.listen()
        forward = PortForward(5000, tmp_path / "s", {"VALIDATE_URL": ""})
        script = "rm -f /run/harness/*; touch /run/harness/x; ls /run/harness"
        result = bench(isolating, "sh", "-c", script, port_forwards=(forward,))
    assert "5000.sock" in result.log.splitlines()
    assert "x" not in result.log.splitlines()
    assert (tmp_path / "s").exists()


def test_a_sandbox_that_does_not_start_is_a_failure_of_the_harness(bench, bubblewrap, tmp_path):
    result = bench(bubblewrap, "true", port_forwards=(PortForward(5000, tmp_path / "missing", {"VALIDATE_URL": ""}),))
    assert result.ending.reason is Reason.HARNESS
    assert "missing" in result.ending.detail


@pytest.mark.slow("programs")
def test_bubblewrap_isolates_without_root_too(bubblewrap, plain_python, require):
    if os.geteuid() == 0:
        require(None if shutil.which("setpriv") else "setpriv is missing")
        other = ["setpriv", "--reuid", "23456", "--regid", "23456", "--clear-groups"]
    else:
        other = []
    script = """
import sys, tempfile
from pathlib import Path
from mlebench.sandbox.job import Job
from mlebench.sandbox.limits import Limits
from mlebench.sandbox.stop import StopSignal
from mlebench.sandbox.bubblewrap import BubblewrapSandbox
sandbox = BubblewrapSandbox()
if obstacle := sandbox.probe():
    sys.exit("SKIP " + obstacle)
with tempfile.TemporaryDirectory() as folder:
    root = Path(folder)
    (root / "data").mkdir()
    (root / "data/x").write_text("x")
    (root / "brief").touch()
    (root / "home").mkdir()
    command = (
        "id -u; grep NoNewPrivs /proc/self/status; ls -l /proc/1/fd | grep -c socket; cat /proc/1/environ; "
        "echo y >> /home/data/x; echo z > /dev/new; echo ok > /home/submission/s; "
        "(for i in $(seq 100); do sleep 5 & done); exit 3"
    )
    job = Job("n", ("sh", "-c", command), root / "data", root / "brief", root / "home", root / "log")
    limits = Limits(seconds=300, processes=40)
    ending = sandbox.run(job, limits, stop=StopSignal(), events=lambda *_, **__: None)
    print((root / "log").read_text())
    print(ending.reason, ending.exit_code)
    print((root / "home/submission/s").read_text() + (root / "data/x").read_text())
"""
    with tempfile.TemporaryDirectory() as folder:  # the clone may lie where only root can read, as in /root
        ignored = shutil.ignore_patterns("competitions", "__pycache__")
        shutil.copytree(SOURCE / "mlebench", Path(folder) / "mlebench", ignore=ignored)
        if other:
            subprocess.run(["chown", "-R", "23456:23456", folder], check=True)
        done = subprocess.run(
            [*other, plain_python, "-c", script],
            env={"PYTHONPATH": folder, "PATH": "/usr/bin:/bin", "SECRET": "s3cret"},
            cwd="/",
            capture_output=True,
            text=True,
            timeout=600,
        )
    if "SKIP" in done.stderr:
        require(done.stderr)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:3] == ["12345", "NoNewPrivs:\t1", "0"]
    assert "s3cret" not in done.stdout
    assert done.stdout.count("Read-only file system") == 2, done.stdout
    assert "Cannot fork" in done.stdout
    assert lines[-3:] == ["crashed 3", "ok", "x"]
