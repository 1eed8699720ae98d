"""The submission check, over its socket and through its script."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import pytest

from mlebench.gateway.check import CheckServer
from mlebench.sandbox.bubblewrap import BubblewrapSandbox
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.entrypoint import forwarding
from mlebench.sandbox.job import Job
from mlebench.sandbox.limits import Limits
from mlebench.sandbox.port_forward import PortForward
from mlebench.sandbox.process import ProcessSandbox
from mlebench.sandbox.stop import StopSignal
from mlebench.sandbox.tokens import new_token

SCRIPT = Path(str(files("mlebench.gateway"))) / "tools/validate_submission.sh"


class Connection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=10)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(10)
        self.sock.connect(self.path)


def ask(server, method, path, content=None, headers=None):
    connection = Connection(server.socket_path)
    try:
        connection.request(method, path, content, headers or {})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def form(content, name="file"):
    head = f'--b\r\nContent-Disposition: form-data; name="{name}"; filename="s.csv"\r\n\r\n'.encode()
    return head + content + b"\r\n--b--\r\n", {"Content-Type": "multipart/form-data; boundary=b"}


class Checker:
    def __init__(self):
        self.paths = []
        self.at_once = self.most = 0
        self.lock = threading.Lock()

    def __call__(self, path):
        self.paths.append(path)
        text = path.read_bytes()
        if text == b"bug":
            raise KeyError("answers.csv")
        if text == b"slow":
            with self.lock:
                self.at_once += 1
                self.most = max(self.most, self.at_once)
            time.sleep(0.2)
            with self.lock:
                self.at_once -= 1
        return f"Submission is valid: {len(text)} “bytes”"


@pytest.fixture
def told():
    return []


@pytest.fixture
def checker():
    return Checker()


@pytest.fixture
def server(tmp_path, checker, told):
    def events(kind, /, **facts):
        told.append((kind, facts))

    server = CheckServer(tmp_path / "v.sock", checker, events=events, max_bytes=1_000_000, idle_seconds=1)
    with server:
        yield server


def test_health(server):
    assert ask(server, "GET", "/health") == (200, b'{"status":"running"}\n')


def test_a_run_has_so_many_checks(server, told, monkeypatch):
    monkeypatch.setattr("mlebench.gateway.check.quota.MAX_CHECKS", 3)
    answers = [ask(server, "POST", "/validate", *form(b"x")) for _ in range(5)]
    assert [status for status, _ in answers] == [200, 200, 200, 429, 429]
    assert "all of its 3 checks" in json.loads(answers[-1][1])["error"]
    assert [kind for kind, _ in told] == ["check"] * 3 + ["limit"]
    assert told[-1][1] == {"limit": "checks", "value": 4, "bound": 3}


def test_validate(server, checker, told):
    content = bytes(range(256)) * 100
    status, answer = ask(server, "POST", "/validate", *form(content))
    assert (status, json.loads(answer)) == (200, {"result": "Submission is valid: 25600 “bytes”"})
    assert answer.startswith(b'{"result":"Submission') and answer.endswith(b'"}\n')
    (path,) = checker.paths
    assert path.suffix == ".csv"
    assert not path.exists()
    kind, facts = told[0]
    assert kind == "check"
    assert facts == {
        "size": 25600,
        "sha256": hashlib.sha256(content).hexdigest(),
        "status": 200,
        "answer": "Submission is valid: 25600 “bytes”",
    }


def test_bug_in_the_check_stays_with_the_harness(server, told, checker, caplog):
    status, answer = ask(server, "POST", "/validate", *form(b"bug"))
    assert status == 500
    assert "answers" not in answer.decode()
    assert set(json.loads(answer)) == {"error"}
    assert "answers.csv" in told[0][1]["fault"]
    assert not checker.paths[0].exists()


@pytest.mark.parametrize(
    ("method", "path", "content", "headers", "status"),
    [
        ("GET", "/", None, {}, 404),
        ("GET", "/validate", None, {}, 405),
        ("POST", "/other", b"x", {}, 404),
        ("DELETE", "/validate", None, {}, 501),
        ("POST", "/validate", b"x", {"Content-Type": "text/csv"}, 400),
        ("POST", "/validate", *form(b"x", "upload"), 400),
        ("POST", "/validate", b"", {"Content-Length": "many"}, 400),
        ("POST", "/validate", b"", {"Content-Length": "-1"}, 400),
        ("POST", "/validate", iter([b"x"]), {"Transfer-Encoding": "chunked"}, 411),
        ("POST", "/validate", b"", {"Content-Length": "9" * 30}, 413),
        ("POST", "/validate", bytes(500_000), {"Content-Length": "1000001"}, 413),
    ],
)
def test_refusals(server, method, path, content, headers, status, checker):
    answer = ask(server, method, path, content, headers)
    assert answer[0] == status
    assert not checker.paths
    assert ask(server, "GET", "/health")[0] == 200


def test_truncated_upload(server, checker, told):
    content, headers = form(b"x" * 1000)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(server.socket_path))
        head = f"POST /validate HTTP/1.1\r\nContent-Type: {headers['Content-Type']}\r\n"
        connection.sendall(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content[:500])
        connection.shutdown(socket.SHUT_WR)
        assert b" 400 " in connection.recv(1000)
    assert not checker.paths
    assert told[0][1]["status"] == 400


def test_slow_client(server, told):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(server.socket_path))
        connection.sendall(b"POST /validate HTTP/1.1\r\nContent-Length: 50\r\n")
        connection.sendall(b"Content-Type: multipart/form-data; boundary=b\r\n\r\n--b")
        connection.settimeout(5)
        assert b" 408 " in connection.recv(1000)
    assert told[0][1]["status"] == 408


def test_trickling_client(server):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(server.socket_path))
        connection.sendall(b"POST /validate HTTP/1.1\r\nContent-Length: 5000\r\n")
        connection.sendall(b"Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n")
        began = time.monotonic()
        connection.settimeout(0.1)
        answer = b""
        while time.monotonic() - began < 5 and not answer:
            connection.sendall(b"x")
            try:
                answer = connection.recv(1000)
            except TimeoutError:
                continue
    assert b" 408 " in answer


def test_two_checks_at_once(server, checker):
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(ask(server, "POST", "/validate", *form(b"slow"))[0]))
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 5
    assert checker.most == 2


def test_many_connections(server):
    held = []
    for _ in range(20):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(5)
        connection.connect(str(server.socket_path))
        held.append(connection)
    assert b" 503 " in held[-1].recv(1000)
    for connection in held:
        connection.close()
    time.sleep(0.2)
    assert ask(server, "GET", "/health")[0] == 200


def test_long_path_and_leftovers(tmp_path, checker):
    long = tmp_path / ("x" * 100) / "v.sock"
    long.parent.mkdir()
    with CheckServer(long, checker, events=lambda *_, **__: None, max_bytes=1000) as server:
        assert server.socket_path != long
        assert len(os.fsencode(server.socket_path)) <= 107
        assert ask(server, "GET", "/health")[0] == 200
        short = server.socket_path
    assert not short.parent.exists()


def test_short_folder_of_a_killed_harness_is_removed(tmp_path, checker):
    namespace = new_token().split("-")[0]
    stale = Path(f"/tmp/mlebench-{namespace}-{os.getpid()}-1-test")
    stale.mkdir()
    with CheckServer(tmp_path / ("x" * 100), checker, events=lambda *_, **__: None, max_bytes=1000):
        assert not stale.exists()


def test_socket_of_a_killed_harness_is_replaced(tmp_path, checker):
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(tmp_path / "v.sock"))
    with CheckServer(tmp_path / "v.sock", checker, events=lambda *_, **__: None, max_bytes=1000) as server:
        assert ask(server, "GET", "/health")[0] == 200
        assert server.socket_path.stat().st_mode & 0o777 == 0o666


@pytest.fixture(params=["curl", "python3"])
def tool(request, tmp_path, require):
    """A PATH on which only one of the two ways to post a file can be found."""
    program = shutil.which("curl") if request.param == "curl" else sys.executable
    require("curl is not installed" if program is None else None)
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sed", "cat"):
        (folder / name).symlink_to(shutil.which(name))
    wrapper = folder / request.param
    wrapper.write_text(f'#!/bin/sh\nexec {program} "$@"\n')
    wrapper.chmod(0o755)
    return folder


class Relay:
    """What the forwarder is inside a sandbox."""

    def __init__(self, server):
        self.listener = forwarding.listen(0, any_port=False)
        self.url = f"http://localhost:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, args=(str(server.socket_path),), daemon=True).start()

    def serve(self, path):
        with suppress(OSError):
            forwarding.serve(self.listener, path)

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


@pytest.fixture
def validate(server, tool):
    relay = Relay(server)

    def validate(*arguments, url=relay.url):
        return subprocess.run(
            ["/bin/sh", str(SCRIPT), *map(str, arguments)],
            env={"PATH": str(tool), "VALIDATE_URL": url, "http_proxy": "http://127.0.0.1:9"},
            capture_output=True,
            text=True,
            timeout=20,
        )

    yield validate
    relay.close()


@pytest.mark.parametrize("name", ["submission.csv", 'odd ;,"\\ name.csv', "-x.csv"])
def test_script(validate, tmp_path, name, checker):
    (tmp_path / name).write_bytes(b"\0id\r\n" * 1000)
    done = validate(tmp_path / name)
    assert (done.returncode, done.stdout) == (
        0,
        '{"result":"Submission is valid: 5000 \\u201cbytes\\u201d"}\n',
    )


def test_script_with_a_refused_file(validate, tmp_path):
    (tmp_path / "large.csv").write_bytes(bytes(3_000_000))
    done = validate(tmp_path / "large.csv")
    assert done.returncode == 0
    assert "too large" in done.stdout


def test_script_without_response(validate, tmp_path):
    assert validate(tmp_path / "missing.csv").returncode == 1
    (tmp_path / "a.csv").touch()
    assert validate(tmp_path / "a.csv", url="http://localhost:1").returncode == 1
    done = validate()
    assert done.returncode == 1
    assert "Usage" in done.stderr


@pytest.mark.parametrize("sandbox", [BubblewrapSandbox(), ProcessSandbox()], ids=lambda sandbox: sandbox.name)
def test_script_inside_a_sandbox(server, tmp_path, sandbox, require):
    require(sandbox.probe())
    for name in ("data", "home"):
        (tmp_path / name).mkdir()
    (tmp_path / "brief").touch()
    job = Job(
        name="check",
        command=("sh", "-c", 'echo x > s.csv; "$TOOLS_DIR"/validate_submission.sh s.csv'),
        data=tmp_path / "data",
        instructions=tmp_path / "brief",
        home=tmp_path / "home",
        log=tmp_path / "log",
        tools=SCRIPT.parent,
        port_forwards=(PortForward(5000, server.socket_path, {"VALIDATE_URL": ""}),),
    )
    ending = sandbox.run(job, Limits(seconds=20), stop=StopSignal(), events=lambda *_, **__: None)
    assert ending.reason is Reason.FINISHED
    assert '{"result":"Submission is valid: 2 ' in job.log.read_text()
