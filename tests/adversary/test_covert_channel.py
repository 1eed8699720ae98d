"""Two runs at the same time cannot communicate."""

import time
from concurrent.futures import ThreadPoolExecutor

CHANNELS = {"files", "abstract_socket", "loopback", "datagrams", "shared_memory", "processes"}


def communicate(attack, sandbox):
    """Run a sender and a receiver, and return the receiver's run.

    New files in the data folder tell the receiver when the sender is ready, and the sender when it may end.
    """
    data = attack.host.competition.public_dir
    with ThreadPoolExecutor(1) as pool:
        attacks = pool.submit(attack, sandbox, "covert_channel", "sender", "receiver", seconds=100)
        for message, signal in (("planted", "look"), ("looked", "end")):
            while not attacks.done() and not any(f'"{message}"' in text for text in logs(attack)):
                time.sleep(0.05)
            (data / signal).touch()
        sender, receiver = attacks.result().values()
    planted, removed = (float(sender.attempts[name]["detail"]) for name in ("planted", "removed"))
    assert planted < float(receiver.attempts["looked"]["detail"]) < removed
    return receiver


def logs(attack):
    return [path.read_text(errors="replace") for path in attack.runs.glob("group-*/*/attempts/1/run.log")]


def test_runs_at_the_same_time_cannot_communicate(attack, isolating):
    receiver = communicate(attack, isolating)
    assert receiver.attempts.keys() == CHANNELS | {"looked"}
    assert receiver.gained == {}


def test_without_isolation_they_can(attack):
    assert communicate(attack, "process").gained.keys() == CHANNELS - {"shared_memory"}
