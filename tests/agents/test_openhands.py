"""OpenHands' CodeAct agent with scripted models, in docker, where Python is new enough."""

import pytest

from mlebench.gateway.scripted import Reply
from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Reason

from .conversations import OPENHANDS, SUBMIT_FEW_ROWS, SUBMIT_SAMPLE, call

LOOK = call("terminal", command="head -n 3 /home/data/*.csv; pwd")
(END,) = OPENHANDS.end


@pytest.fixture
def smoke(docker, installed):
    return installed(OPENHANDS.name, "docker")


@pytest.fixture
def play(stage, smoke):
    def play(script, **options):
        return stage.play(smoke, script, sandbox="docker", **{"seconds": 300} | options)

    return play


def test_a_model_that_never_submits_leaves_no_submission(play, stage):
    asked = call("terminal", command='pip download --retries 0 six; touch "$(dirname $(which python))/x"; env')
    played = play([LOOK, Reply("May I go on?"), asked, END], protocol="anthropic")
    assert {asked.path for asked in played.requests} == {"/v1/messages"}
    assert {tool["name"] for tool in played.requests[0].body["tools"]} == {"terminal", "file_editor", "finish", "think"}
    seen = played.requests[-1].text
    assert "Read-only file system" in seen
    assert "No matching distribution" in seen
    assert str(stage.folder) not in seen
    assert played.run.ending.reason is Reason.FINISHED
    assert played.run.verdict.outcome is Outcome.MISSING
    assert len(list(played.folder.glob("logs/openhands/*/events/*.json"))) > len(played.requests)


def test_an_invalid_file_is_repaired_despite_failures_and_kept_at_the_limit_of_steps(play, smoke):
    cut = call("terminal", command="cut")
    talk = [
        Reply("Slower.", status=429, headers={"Retry-After": "0"}),
        *OPENHANDS.run(SUBMIT_FEW_ROWS),
        Reply(cut.text, cut.tool_calls, cut_after=20),
        *OPENHANDS.run(SUBMIT_SAMPLE),
    ]

    def script(asked):
        return talk[asked.number] if asked.number < len(talk) else call("terminal", command=f"echo {asked.number}")

    played = play(script)
    assert "Submission invalid!" in played.requests[3].text
    assert played.run.ending.reason is Reason.FINISHED, played.stdout
    assert "maximum iterations" in played.stdout
    assert len(played.requests) == 2 + int(smoke.declaration.environment["ITERATIONS"])
    assert played.run.verdict.outcome is Outcome.GRADED


def test_a_conversation_that_outgrows_the_context_window_is_condensed(play):
    def script(asked):
        if asked.number < len(first):
            return first[asked.number]
        if asked.number == len(first):
            return Reply("This model's maximum context length is 9 tokens.", status=400, code="context_length_exceeded")
        return END if asked.body.get("tools") else Reply("The sample was submitted.")

    first = [*OPENHANDS.run(SUBMIT_SAMPLE), *(call("terminal", command=f"echo {number}") for number in range(4))]
    played = play(script)
    assert played.run.ending.reason is Reason.FINISHED, played.stdout
    assert not played.requests[-2].body.get("tools")
    assert "The sample was submitted." in str(played.requests[-1].body["messages"])
    assert played.run.verdict.outcome is Outcome.GRADED


def test_a_command_that_hangs_ends_with_the_run(stage, smoke):
    script = [*OPENHANDS.run(SUBMIT_SAMPLE), call("terminal", command="trap '' TERM; sleep 600 & sleep 600")]
    played = stage.play_to_the_limit(smoke, script, requests=len(script), seconds=30, sandbox="docker")
    assert played.run.ending.reason is Reason.TIME
    assert played.run.verdict.outcome is Outcome.GRADED
    assert list(played.folder.glob("logs/openhands/*/events/*.json"))


def test_a_refusal_for_another_reason_than_the_budget_is_a_crash(play):
    played = play([Reply("Not with this key.", status=403)])
    assert played.run.ending.reason is Reason.CRASHED
    assert "Not with this key." in played.stdout
