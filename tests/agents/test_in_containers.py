"""Each bundled agent in a container of its own image, with the same conversation: medals, reach and limits."""

from __future__ import annotations

import dataclasses
import re
import socket

import psutil
import pytest

from mlebench.agents.installation import needs_installation
from mlebench.authoring.agent.script import Script
from mlebench.gateway.scripted import Reply
from mlebench.grading.reports import Outcome
from mlebench.runs.events import read_events
from mlebench.sandbox.ending import Reason

from .conversations import AIDE, HANG, OPENHANDS, SCAFFOLDS, SOLVE_WINE, SUBMIT_FEW_ROWS, SUBMIT_SAMPLE

FROM_KAGGLE = ("spaceship-titanic", "detecting-insults-in-social-commentary", "denoising-dirty-documents")
"""A table, a text and pictures, with three names of the sample submission."""
REACH = """
import os, socket, urllib.request

seen = {}


def attempt(name, action):
    try:
        action()
    except OSError as error:
        seen[name] = type(error).__name__
    else:
        seen[name] = "REACHED"


for host, port in ADDRESSES:
    attempt(f"{host}:{port}", lambda: socket.create_connection((host, port), 3))
attempt("names", lambda: socket.getaddrinfo("example.com", 443))
for folder in ("/", "/home", "/home/data", "/usr", "/opt/venv", "/run/harness"):
    attempt(f"{folder} written", lambda: open(f"{folder}/mine", "w"))
sockets = [line.split() for name in ("tcp", "tcp6") for line in open(f"/proc/net/{name}")]
seen["listening"] = sorted({int(row[1][-4:], 16) for row in sockets if row[3] == "0A"})
seen["interfaces"] = " ".join(line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:])
seen["root"] = os.geteuid() == 0
seen["gateway"] = urllib.request.urlopen("http://localhost:4000/v1/models").status
print("REPORT", "; ".join(f"{what}={came}" for what, came in seen.items()), "END")  # characters that need no escapes
"""
SPOIL = "import time\n\ntime.sleep(4)  # until the submission before is snapshotted\n" + SUBMIT_FEW_ROWS
DEAR = 1_000_000
"""Reasoning tokens of an answer that uses up any budget."""


@pytest.fixture
def service():
    """A service on all addresses of this machine: its port; the test fails if anyone connects."""
    with socket.create_server(("0.0.0.0", 0)) as server:
        server.setblocking(False)
        yield server.getsockname()[1]
        with pytest.raises(BlockingIOError):
            server.accept()


def own_addresses():
    """Return this machine's addresses, including those of the engine's bridges."""
    found = [entry.address for entries in psutil.net_if_addrs().values() for entry in entries if entry.family == 2]
    return sorted({"127.0.0.1", "172.17.0.1", *found})


def reach(ports):
    addresses = [(host, port) for host in own_addresses() for port in ports]
    addresses += [("192.0.2.1", 443), ("169.254.169.254", 80), ("1.1.1.1", 53)]
    return REACH.replace("ADDRESSES", repr(addresses))


def read_report(played):
    """Return the report of the script that tries to get out."""
    found = [match for asked in played.requests for match in re.findall(r"REPORT (.*?) END", asked.text)]
    assert found, played.stdout
    return dict(item.split("=") for item in found[0].split("; "))


def assert_counted(*runs):
    """Assert that the server, the gateway and its record of calls agree on every token."""
    for played in runs:
        counted = [call["usage"] for call in played.calls]
        assert not any(usage["estimated"] for usage in counted)
        assert played.run.usage.input_tokens == sum(usage["input"] for usage in counted)
        assert played.run.usage.output_tokens == sum(usage["output"] for usage in counted)
    used, server = [played.run.usage for played in runs], runs[0]
    assert sum(usage.requests for usage in used) == len(server.requests)
    assert sum(usage.input_tokens for usage in used) == server.reported.input
    assert sum(usage.output_tokens for usage in used) == server.reported.output


IN_ENGINES = [*(("docker", name) for name in SCAFFOLDS), ("podman", "mini-swe-agent")]


@pytest.mark.parametrize(("engine", "name"), IN_ENGINES)
def test_a_conversation_wins_a_medal_reaches_nothing_else_and_replays(
    stage, installed, service, tmp_path, request, engine, name
):
    """The agent tries to get out, checks an invalid file, and solves the task."""
    here, scaffold = request.getfixturevalue(engine), SCAFFOLDS[name]
    agent = installed(scaffold.name, engine)

    def talk(asked):
        ports = [int(asked.headers["host"].rpartition(":")[2]), service]  # the model's server, and another service
        answers = [*scaffold.run(reach(ports)), *scaffold.run(SUBMIT_FEW_ROWS), *scaffold.run(SOLVE_WINE, 0.2)]
        return [*answers, *(scaffold.end or scaffold.run(SUBMIT_SAMPLE, 0.9))][asked.number]

    options = {"sandbox": engine, "seconds": 400, "recording": tmp_path / "tape.jsonl"}
    played = stage.play(agent, talk, mode="record", group="recorded", **options)
    assert played.run.ending.reason is Reason.FINISHED, played.stdout
    assert played.run.verdict.medal is not None
    assert any("Submission invalid!" in asked.text for asked in played.requests)
    assert_counted(played)

    seen = read_report(played)
    assert (seen.pop("listening"), seen.pop("interfaces")) == (
        "[4000, 5000]",
        "lo",
    )  # the model gateway and the submission check
    assert (seen.pop("gateway"), seen.pop("root")) == ("200", "False")
    assert len(seen) > 2 * len(own_addresses())
    assert [what for what, came in seen.items() if came == "REACHED"] == []

    events = {event["kind"]: event for event in read_events(played.folder / "events.jsonl")}
    image, base = events["started"]["image"], here.inspect_image("mlebench/base:minimal").raw_id
    if needs_installation(agent, engine):
        assert image == events["inputs"]["agent_packages"]
    assert image.endswith(base) is not needs_installation(agent, engine)

    replayed = stage.play(agent, [], mode="replay", group="replayed", **options)
    assert replayed.requests == []
    assert replayed.submission == played.submission
    assert replayed.run.usage == played.run.usage


@pytest.mark.parametrize("name", SCAFFOLDS)
def test_the_rehearsal_works_on_tasks_from_kaggle(stage, docker, installed, prepared, name):
    agent = installed(SCAFFOLDS[name].name, "docker")
    script = Script.of(agent)

    def talk(asked):  # one run after another
        return script(dataclasses.replace(asked, number=asked.number % len(script.replies)))

    competitions = [prepared(label) for label in FROM_KAGGLE]
    runs = stage.play_all(agent, talk, competitions, sandbox="docker", seconds=300)
    for played in runs:
        assert played.run.ending.reason is Reason.FINISHED, played.stdout
        assert played.run.verdict.outcome is Outcome.GRADED, played.run.verdict.reason
    assert len(runs) == len(FROM_KAGGLE)
    assert_counted(*runs)


LIMITS = {"time": {}, "money": {"money": 1.0}, "tokens": {"tokens": 500_000}}


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("name", SCAFFOLDS)
def test_limits_of_the_run_keep_the_best_solution(stage, docker, installed, name, limit):
    """The second of three solutions is the best; the last is invalid, and the model ranks it first."""
    scaffold = SCAFFOLDS[name]
    answers = [*scaffold.run(SUBMIT_SAMPLE, 0.9), *scaffold.run(SOLVE_WINE, 0.2), *scaffold.run(SPOIL, 0.1)]
    last = scaffold.run(HANG if limit == "time" else "print(7)")
    answers += [dataclasses.replace(reply, reasoning=DEAR) for reply in last]
    if limit == "time" and scaffold is AIDE:
        answers.pop()  # the review: AIDE ends the solution and asks for it just before the run ends

    def talk(asked):
        return answers[asked.number] if asked.number < len(answers) else Reply("Too late.", delay=100)

    agent, options = installed(scaffold.name, "docker"), {"sandbox": "docker", **LIMITS[limit]}
    if limit == "time":
        seconds = {OPENHANDS.name: 40, AIDE.name: 50}.get(scaffold.name, 25)  # AIDE gives each solution a part of it
        played = stage.play_to_the_limit(agent, talk, requests=len(answers), seconds=seconds, **options)
    else:
        played = stage.play(agent, talk, **options)
    assert played.run.ending.reason is (Reason.TIME if limit == "time" else Reason.BUDGET), played.stdout
    assert played.run.verdict.medal is not None, played.stdout
