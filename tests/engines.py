"""A real container engine with a small image: started if none runs, and stopped by its last user.

Several workers and several test runs may use it at the same time. Each user holds a shared lock while it needs the
engine, so nobody stops it too early. A user that is killed loses its lock.
"""

from __future__ import annotations

import fcntl
import os
import select
import shutil
import signal
import subprocess
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from mlebench.errors import MLEBenchError
from mlebench.images.build import build_recipe
from mlebench.images.recipe import Recipe
from mlebench.images.rootfs import RELEASE, bootstrap_folder, import_rootfs
from mlebench.sandbox.engine import Engine

if TYPE_CHECKING:
    from collections.abc import Iterator

IMAGE = "mlebench/base:minimal"
FOLDER = Path("/var/tmp") / f"mlebench-test-engine-{os.getuid()}"
"""The same for all users, independent of TMPDIR: there is one daemon."""
PACKAGES = {"docker": "docker.io debootstrap", "podman": "podman runc debootstrap"}
"""The packages that apt-get installs for each engine."""
_STOP_SECONDS = 30.0


class NoEngineError(Exception):
    """This machine has no such engine; the message gives the reason."""


@contextmanager
def locked(name: str, kind: int) -> Iterator[IO[str]]:
    FOLDER.mkdir(mode=0o700, exist_ok=True)
    with (FOLDER / name).open("w") as file:
        fcntl.flock(file, kind)
        yield file


@contextmanager
def engine_with_image(name: str) -> Iterator[Engine]:
    """Yield an engine that answers and has the image."""
    engine = Engine(name)
    if os.geteuid() != 0 and engine.probe():
        raise NoEngineError(f"no {name} engine answers, and without root's rights none can be started")
    missing = [program for program in (name, "debootstrap") if not shutil.which(program)]
    if missing:
        raise NoEngineError(f"{missing[0]} is missing; install it with: apt-get install {PACKAGES[name]}")
    try:
        with ExitStack() as held:
            with locked(f"{name}-lock", fcntl.LOCK_EX):
                # Inside: two workers that wait as users would each take the other for one with a daemon.
                users = held.enter_context(locked(f"{name}-users", fcntl.LOCK_SH))
                if name == "docker":
                    start_docker(engine, users)
                make_image(engine)
            yield engine
    finally:
        if name == "docker":
            nobody_else = locked(f"{name}-users", fcntl.LOCK_EX | fcntl.LOCK_NB)
            with locked(f"{name}-lock", fcntl.LOCK_EX), suppress(BlockingIOError), nobody_else:
                stop_docker()


def make_image(engine: Engine) -> None:
    """Build the small image, unless the engine has it. Both engines import the same root file system."""
    root = FOLDER / f"root-{RELEASE}"
    try:
        with locked("root-lock", fcntl.LOCK_EX):
            if not root.exists():
                shutil.rmtree(FOLDER / "making", ignore_errors=True)
                bootstrap_folder(FOLDER / "making")
                (FOLDER / "making").rename(root)
            base = import_rootfs(engine, root)
        build_recipe(engine, Recipe.for_base("minimal", base))
    except MLEBenchError as error:
        raise NoEngineError(str(error)) from error


def start_docker(engine: Engine, users: IO[str]) -> None:
    """Start a daemon, unless one answers or others use one that is slow to answer."""
    if engine.probe() is None:
        return
    if not shutil.which("dockerd"):
        raise NoEngineError("dockerd is missing; install it with: apt-get install docker.io")
    if is_only(users):
        stop_docker()  # a daemon of an earlier test run that no longer answers, since another one took its socket
        launch_docker()
    end = time.monotonic() + 180
    while obstacle := engine.probe():
        if time.monotonic() > end:
            last = (FOLDER / "dockerd.log").read_text().splitlines()[-1:]
            raise NoEngineError(f"{obstacle} The log of dockerd ends with: {last}")
        time.sleep(0.2)


def is_only(users: IO[str]) -> bool:
    """Tell whether the caller is the only one with a shared lock. It keeps the lock."""
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        fcntl.flock(users, fcntl.LOCK_SH)
    return True


def launch_docker() -> None:
    with (FOLDER / "dockerd.log").open("wb") as log:
        # The bridge, for jobs with an open network, reaches this machine only: firewall and routing stay unchanged.
        subprocess.Popen(
            ["dockerd", "--pidfile", str(FOLDER / "dockerd.pid"), "--iptables=false", "--ip-forward=false"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def stop_docker() -> None:
    """Stop the daemon if tests started it."""
    with suppress(OSError, ValueError):
        pid = int((FOLDER / "dockerd.pid").read_text())
        daemon = os.pidfd_open(pid)
        try:
            if b"dockerd" not in Path(f"/proc/{pid}/cmdline").read_bytes():
                return
            # It may be a child of another worker that does not wait for it; its pidfd shows its end anyway.
            for number in (signal.SIGTERM, signal.SIGKILL):
                signal.pidfd_send_signal(daemon, number)
                if select.select([daemon], [], [], _STOP_SECONDS)[0]:
                    return
        finally:
            os.close(daemon)
