"""Does not end, or leaves processes behind. The mode says how."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from attempts import only_inside, report

only_inside()
SUBMISSION = "/home/submission/submission.csv"


def ignore_all():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue


def daemonize():
    """Fork twice, create a session and close the standard streams; return whether this is the daemon."""
    if os.fork():
        return False
    os.setsid()
    if os.fork():
        os._exit(0)
    ignore_all()
    os.closerange(0, 3)
    return True


def keep_writing(path="/home/submission/submission.csv"):
    """Write until killed: a file that changes after the end of the run shows a survivor."""
    while True:
        Path(path).write_text(f"{time.time()}\n")
        time.sleep(0.002)


def ignoring():
    ignore_all()
    while True:
        time.sleep(1)


def daemon():
    if daemonize():
        keep_writing()
    time.sleep(0.5)


def daemon_after_a_crash():
    if daemonize():
        keep_writing()
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGSEGV)


def respawning():
    """Each child becomes a parent at once, so killing one by one is too slow."""
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
    """A child keeps standard output open and writes to it."""
    if not os.fork():
        os.setsid()
        ignore_all()
        while True:
            os.write(1, b"still here\n")
            time.sleep(0.01)


def killing_all():
    """Kill everything, including the process that forwards ports."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.kill(-1, signal.SIGKILL)
    try:
        socket.create_connection(("127.0.0.1", 5000), timeout=1).close()
    except OSError as error:
        report("killing_all", False, f"the check is gone: {error}")
    else:
        report("killing_all", False, "the check is still there")


def stopping_all():
    """Stop processes instead of killing them: a harness that waits for an answer would wait forever."""
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                os.kill(int(name), signal.SIGSTOP)
            except OSError:
                continue
    os.kill(os.getpid(), signal.SIGSTOP)
    ignoring()


def other_forwarder():
    """Replace the process that forwards ports by a server; this deceives only the agent."""
    os.kill(-1, signal.SIGKILL)
    for _ in range(100):
        try:
            server = socket.create_server(("127.0.0.1", 5000))
        except OSError:
            time.sleep(0.02)
            continue
        server.settimeout(1)
        break
    report("other_forwarder", False, "it listens to itself")


def changing_until_the_end():
    """Change the submission until the time limit, and write a valid one between SIGTERM and SIGKILL."""

    def save(*_):
        Path(SUBMISSION).write_bytes(Path("/home/data/sample_submission.csv").read_bytes())
        os._exit(0)

    signal.signal(signal.SIGTERM, save)
    keep_writing()


def stopped():
    os.kill(os.getpid(), signal.SIGSTOP)


globals()[sys.argv[1]]()
