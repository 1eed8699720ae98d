"""Does not want to end, or lets nothing end: the mode says how."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from attempts import only_inside, tell

only_inside()
SUBMISSION = "/home/submission/submission.csv"


def ignore_all():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue


def daemonise():
    """Fork twice, with a session of its own and an empty environment, and close everything."""
    if os.fork():
        return False
    os.setsid()
    if os.fork():
        os._exit(0)
    ignore_all()
    os.closerange(0, 3)
    return True


def keep_writing(path="/home/submission/submission.csv"):
    """Write on: whoever finds the file changed after the end knows that something lived."""
    while True:
        Path(path).write_text(f"{time.time()}\n")
        time.sleep(0.002)


def ignoring():
    ignore_all()
    while True:
        time.sleep(1)


def daemon():
    if daemonise():
        keep_writing()
    time.sleep(0.5)


def daemon_beside_a_crash():
    if daemonise():
        keep_writing()
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGSEGV)


def respawning():
    """Each child is a parent at once; whoever kills one by one is late."""
    ignore_all()
    if os.fork():
        ignoring()
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if os.fork():
            time.sleep(0.002)
            os._exit(0)


def own_shell():
    ignore_all()
    subprocess.run(["sh", "-c", "trap '' TERM INT HUP; while :; do sleep 1; done"])
    ignoring()


def holding_the_pipe():
    """A child keeps standard output open and writes into it for ever."""
    if not os.fork():
        os.setsid()
        ignore_all()
        while True:
            os.write(1, b"still here\n")
            time.sleep(0.01)


def killing_all():
    """Everything that can be killed, the forwarder of the holes included."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.kill(-1, signal.SIGKILL)
    try:
        socket.create_connection(("127.0.0.1", 5000), timeout=1).close()
    except OSError as error:
        tell("killing_all", False, f"the check is gone: {error}")
    else:
        tell("killing_all", False, "the check is still there")


def stopping_all():
    """Stopped, not killed: what waits for an answer would wait for ever."""
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                os.kill(int(name), signal.SIGSTOP)
            except OSError:
                continue
    os.kill(os.getpid(), signal.SIGSTOP)
    ignoring()


def other_forwarder():
    """Put a server of its own in place of the forwarder; it deceives nobody but the agent."""
    os.kill(-1, signal.SIGKILL)
    for _ in range(100):
        try:
            server = socket.create_server(("127.0.0.1", 5000))
        except OSError:
            time.sleep(0.02)
            continue
        server.settimeout(1)
        break
    tell("other_forwarder", False, "it listens to itself")


def changing_until_the_end():
    """The submission is another one at every moment, and good only in the grace."""

    def save(*_):
        Path(SUBMISSION).write_bytes(Path("/home/data/sample_submission.csv").read_bytes())
        os._exit(0)

    signal.signal(signal.SIGTERM, save)
    keep_writing()


def stopped():
    os.kill(os.getpid(), signal.SIGSTOP)


globals()[sys.argv[1]]()
