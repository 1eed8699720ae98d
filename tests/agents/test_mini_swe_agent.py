"""The agent of mini-swe-agent against scripted conversations."""

import json

import pytest

from mlebench.gateway.scripted import Reply, ToolCall
from mlebench.reports import Outcome
from mlebench.sandbox.base import Reason

pytestmark = pytest.mark.timeout(600)  # the first test installs it
FEW_ROWS = "head -n 10 /home/data/sample_submission.csv > /home/submission/submission.csv"
SAMPLE = "cp /home/data/sample_submission.csv /home/submission/submission.csv"
CHECK = "sh /home/validate_submission.sh /home/submission/submission.csv"


def bash(command, **more):
    return Reply("On with it.", (ToolCall("bash", {"command": command}),), **more)


LOOK = bash("head -n 3 /home/data/*.csv; pwd")
END = bash("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")


@pytest.fixture
def solution(solve_wine):
    code = solve_wine("/home/data", "/home/submission")
    return bash(f"cat > train.py <<'END'\n{code}\nEND\npython train.py")


@pytest.fixture
def smoke(installed):
    return installed("mini-swe-agent/smoke")


def test_a_conversation_earns_a_medal_and_replays_to_the_same_submission(stage, smoke, solution, tmp_path):
    talk = [LOOK, Reply("I forgot the command."), solution, bash(CHECK), END]
    tape = tmp_path / "tape.jsonl"
    played = stage.play(smoke, talk, mode="record", recording=tape, group="recorded")
    assert played.run.ending.reason is Reason.FINISHED, played.said
    assert played.run.verdict.medal is not None
    assert "Submission is valid." in played.asked[-1].text
    assert len(played.asked) == len(talk)
    used = played.run.usage
    assert (used.requests, used.input_tokens, used.output_tokens) == (
        len(talk),
        played.reported.input,
        played.reported.output,
    )
    assert {asked.body["model"] for asked in played.asked} == {smoke.declaration.model.name}
    assert (played.folder / "code/train.py").is_file()
    kept = json.loads((played.folder / "logs/trajectory.json").read_text())
    assert kept["info"]["exit_status"] == "Submitted"
    replayed = stage.play(smoke, [], mode="replay", recording=tape, group="replayed")
    assert replayed.asked == []
    assert replayed.submission == played.submission
    assert replayed.run.usage == used


def test_a_model_that_never_submits_and_reaches_nothing_but_the_gateway(stage, smoke):
    reach = "import socket; socket.create_connection(('192.0.2.1', 443), 3)"
    asked = f'python -c "{reach}"; pip download --retries 0 six; touch /usr/x "$(dirname $(which python))/x"; env'
    played = stage.play(smoke, [LOOK, bash(asked), END], protocol="anthropic")
    assert {asked.path for asked in played.asked} == {"/v1/messages"}
    seen = played.asked[-1].text
    assert "Network is unreachable" in seen
    assert seen.count("Read-only file system") == 2
    assert "No matching distribution" in seen
    assert str(stage.folder) not in seen
    assert played.run.ending.reason is Reason.FINISHED
    assert played.run.verdict.outcome is Outcome.MISSING


def test_a_malformed_file_is_repaired_through_faults(stage, smoke):
    talk = [
        Reply("Slower.", status=429, headers={"Retry-After": "0"}),
        bash(FEW_ROWS),
        bash("cut", cut_after=20),
        bash(CHECK),
        bash(SAMPLE),
        bash(CHECK),
        END,
    ]
    played = stage.play(smoke, talk)
    assert played.run.ending.reason is Reason.FINISHED, played.said
    assert "Submission invalid!" in played.asked[4].text
    assert "Submission is valid." in played.asked[6].text
    assert played.run.verdict.outcome is Outcome.GRADED


def test_limits_of_steps_and_money_keep_the_submission(stage, smoke):
    def more(asked):
        return bash(SAMPLE if asked.number < 2 else "true")

    played = stage.play(smoke, more, group="steps")
    assert played.run.ending.reason is Reason.FINISHED
    assert "LimitsExceeded" in played.said
    assert len(played.asked) == int(smoke.declaration.environment["STEP_LIMIT"])
    assert played.run.verdict.outcome is Outcome.GRADED
    spent = played.run.usage.money
    played = stage.play(smoke, more, group="money", money=spent / 2)
    assert played.run.ending.reason is Reason.BUDGET
    assert 2 < len(played.asked) < int(smoke.declaration.environment["STEP_LIMIT"])
    assert played.run.verdict.outcome is Outcome.GRADED


def test_the_time_limit_ends_a_command_that_hangs(stage, smoke):
    played = stage.play(smoke, [bash(SAMPLE), bash("trap '' TERM; sleep 300 & sleep 300"), END], seconds=15)
    assert played.run.ending.reason is Reason.TIME
    assert played.run.verdict.outcome is Outcome.GRADED
    assert (played.folder / "logs/trajectory.json").is_file()
