"""The agents with packages of their own, each on an image of its own: one short conversation."""

from __future__ import annotations

import pytest

from mlebench.gateway.scripted import Reply, ToolCall
from mlebench.reports import Outcome
from mlebench.runs.events import read_events
from mlebench.sandbox.base import Reason

SAMPLE = "cp /home/data/sample_submission.csv /home/submission/submission.csv; ls /opt/venv/bin/python"
SOLUTION = "import shutil\n\nshutil.copy('input/sample_submission.csv', 'working/submission.csv')"
END = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
REVIEW = {"is_bug": False, "summary": "Fine.", "metric": 0.5, "lower_is_better": True}


def call(tool, **arguments):
    return Reply("On with it.", (ToolCall(tool, arguments),))


TALKS = {
    "mini-swe-agent": [
        call("bash", command=SAMPLE),
        call("bash", command="echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"),
    ],
    "aide": [Reply(f"Copy.\n\n```python\n{SOLUTION}\n```"), call("submit_review", **REVIEW)] * 4,
    "openhands": [call("terminal", command=SAMPLE), call("finish", message="It is in place.")],
}


@pytest.mark.timeout(900)  # the first that wants an engine waits until its image is made, each for its packages
@pytest.mark.parametrize("name", TALKS)
def test_a_conversation_in_docker(stage, docker, installed, name):
    agent = installed(f"{name}/smoke", "docker")
    played = stage.play(agent, TALKS[name], sandbox="docker")
    assert played.run.ending.reason is Reason.FINISHED, played.said
    assert played.run.verdict.outcome is Outcome.GRADED
    assert played.run.usage.requests == len(TALKS[name])
    events = {event["kind"]: event for event in read_events(played.folder / "events.jsonl")}
    assert events["started"]["image"] == events["inputs"]["agent_packages"]
    assert events["started"]["image"] != docker.image("mlebench/base:minimal")["Id"]
