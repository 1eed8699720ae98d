"""What attackers look for on the host: answers, keys, another run, servers and a process with a key."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import socketserver
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from mlebench.tasks.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.tasks.competition import Competition

ROOT = Path(__file__).parents[2]


def new_canary() -> str:
    """Return a secret that attackers recognize; `attackers/attempts.py` has the pattern."""
    return f"canary-of-the-test-{secrets.token_hex(8)}"


@dataclass(frozen=True)
class Host:
    """The files, servers and processes that an attack must neither reach nor change."""

    folder: Path
    competition: Competition
    targets: dict[str, Any]
    """Paths, ports and process ids, which each attacker is told in `targets.json`."""
    calls: list[str]
    """The names of the servers that somebody reached."""
    contents: dict[Path, bytes]
    """The contents of files before the attack."""

    def is_unharmed(self) -> bool:
        return not self.calls and all(path.read_bytes() == content for path, content in self.contents.items())


@contextmanager
def host_of(folder: Path, prepared: Competition) -> Iterator[Host]:
    """Lay out a host with a copy of a prepared competition.

    The caller sets `HOME` to `folder / "home"`.
    """
    data = folder / "data"
    shutil.copytree(prepared.prepared_dir, data / prepared.prepared_dir.relative_to(prepared.prepared_dir.parents[1]))
    competition = Registry(data).get_competition(prepared.id)
    other_run = folder / "runs/other/demo-wine_other_seed-0/attempts/1"
    secret_files = [
        competition.private_dir / "canary.txt",
        folder / "home/.ssh/id_ed25519",
        folder / "home/.kaggle/kaggle.json",
        other_run / "submission/submission.csv",
        other_run / "run.log",
    ]
    for path in secret_files:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(new_canary() + "\n")
    answers = [path for path in competition.private_dir.iterdir() if path.suffix == ".csv"]
    public = [path for path in competition.public_dir.rglob("*") if path.is_file()]
    calls: list[str] = []
    with servers(folder, calls) as addresses, process_with_a_key() as process:
        targets = {
            "answers": [str(path) for path in answers],
            "secrets": [str(path) for path in secret_files],
            # Not the repository itself: sandboxes mount the interpreter, and `.venv` may lie in the repository.
            "folders": [
                *(str(path) for path in (data, folder / "runs", folder / "home")),
                *(str(ROOT / name) for name in ("src", "tests", ".git")),
            ],
            "processes": [os.getpid(), process],
            "python": [sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1])],
            "names": ["demo-wine_", "discovery_"],
            "meeting": f"word-of-the-test-{secrets.token_hex(8)}",
            "meeting_port": free_port(),
            **addresses,
        }
        yield Host(folder, competition, targets, calls, {p: p.read_bytes() for p in [*secret_files, *answers, *public]})


@contextmanager
def process_with_a_key() -> Iterator[int]:
    """Run a process that has a key in its environment, and yield its id."""
    with subprocess.Popen(["sleep", "600"], env={"PATH": os.environ["PATH"], "MODEL_KEY": new_canary()}) as process:
        try:
            yield process.pid
        finally:
            process.kill()


@contextmanager
def servers(folder: Path, calls: list[str]) -> Iterator[dict[str, Any]]:
    """Run a server of each kind, and yield their addresses.

    A server that somebody reaches adds its name to `calls`.
    """

    def answering(name: str) -> type[socketserver.BaseRequestHandler]:
        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                calls.append(name)
                if isinstance(self.request, tuple):
                    self.request[1].sendto(b"here", self.client_address)
                else:
                    self.request.recv(100)  # closing with unread data would reset the connection
                    self.request.sendall(b"here")

        return Handler

    class TCP6(socketserver.TCPServer):
        address_family = socket.AF_INET6

    unix, abstract = str(folder / "s"), f"of-the-test-{secrets.token_hex(4)}"
    with ExitStack() as stack:

        def serve(name: str, kind: type[socketserver.BaseServer], address: Any) -> Any:
            server = stack.enter_context(kind(address, answering(name)))
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            stack.callback(server.shutdown)
            return server.server_address

        tcp6 = None
        with suppress(OSError):
            tcp6 = serve("tcp6", TCP6, ("::1", 0))[1]
        serve("unix", socketserver.UnixStreamServer, unix)
        Path(unix).chmod(0o777)
        serve("abstract", socketserver.UnixStreamServer, "\0" + abstract)
        yield {
            "tcp": serve("tcp", socketserver.TCPServer, ("0.0.0.0", 0))[1],
            "udp": serve("udp", socketserver.UDPServer, ("0.0.0.0", 0))[1],
            "tcp6": tcp6,
            "unix": unix,
            "abstract": abstract,
            "addresses": own_addresses(),
        }


def free_port() -> int:
    """Return the number of an unused port."""
    with socket.create_server(("0.0.0.0", 0)) as server:
        return int(server.getsockname()[1])


def own_addresses() -> list[str]:
    """Return the IPv4 addresses of this machine, without loopback."""
    found = [one.address for those in psutil.net_if_addrs().values() for one in those if one.family == socket.AF_INET]
    return [address for address in found if not address.startswith("127.")]
