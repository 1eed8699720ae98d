"""The agent of mini-swe-agent with scripted models."""

import json

import pytest

from mlebench.gateway.scripted import Reply
from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Reason

from .conversations import MINI_SWE_AGENT, SUBMIT_FEW_ROWS, SUBMIT_SAMPLE, call

LOOK = call("bash", command="head -n 3 /home/data/*.csv; pwd")
(SAMPLE,) = MINI_SWE_AGENT.run(SUBMIT_SAMPLE)
(FEW_ROWS,) = MINI_SWE_AGENT.run(SUBMIT_FEW_ROWS)
(END,) = MINI_SWE_AGENT.end


@pytest.fixture
def smoke(installed):
    return installed(MINI_SWE_AGENT.name)


def test_a_model_that_never_submits_leaves_no_submission(stage, smoke):
    asked = call("bash", command='pip download --retries 0 six; touch "$(dirname $(which python))/x"; env')
    played = stage.play(smoke, [LOOK, Reply("I forgot the command."), asked, END], protocol="anthropic")
    assert {asked.path for asked in played.requests} == {"/v1/messages"}
    assert {asked.body["model"] for asked in played.requests} == {smoke.declaration.model.name}
    seen = played.requests[-1].text
    assert "Read-only file system" in seen
    assert "No matching distribution" in seen
    assert str(stage.folder) not in seen
    assert played.run.ending.reason is Reason.FINISHED
    assert played.run.verdict.outcome is Outcome.MISSING
    kept = json.loads((played.folder / "logs/trajectory.json").read_text())
    assert kept["info"]["exit_status"] == "Submitted"


def test_an_invalid_file_is_repaired_despite_failures_of_the_model(stage, smoke):
    cut = call("bash", command="cut")
    talk = [
        Reply("Slower.", status=429, headers={"Retry-After": "0"}),
        FEW_ROWS,
        Reply(cut.text, cut.tool_calls, cut_after=20),
        SAMPLE,
        END,
    ]
    played = stage.play(smoke, talk)
    assert played.run.ending.reason is Reason.FINISHED, played.stdout
    assert "Submission invalid!" in played.requests[2].text
    assert played.run.verdict.outcome is Outcome.GRADED
    assert list(played.folder.glob("code/*.py"))


def test_the_limit_of_steps_keeps_the_submission(stage, smoke):
    played = stage.play(smoke, lambda asked: SAMPLE if asked.number < 2 else call("bash", command="true"))
    assert played.run.ending.reason is Reason.FINISHED
    assert "LimitsExceeded" in played.stdout
    assert len(played.requests) == int(smoke.declaration.environment["STEP_LIMIT"])
    assert played.run.verdict.outcome is Outcome.GRADED


def test_a_command_that_hangs_ends_with_the_run(stage, smoke):
    script = [SAMPLE, call("bash", command="trap '' TERM; sleep 600 & sleep 600")]
    played = stage.play_to_the_limit(smoke, script, requests=2, seconds=15)
    assert played.run.ending.reason is Reason.TIME
    assert played.run.verdict.outcome is Outcome.GRADED
    assert (played.folder / "logs/trajectory.json").is_file()
