"""OpenHands' CodeAct agent against scripted conversations."""

import pytest

from mlebench.gateway.scripted import Reply, ToolCall
from mlebench.reports import Outcome
from mlebench.sandbox.base import Reason

pytestmark = pytest.mark.timeout(600)  # the first test installs it
FEW_ROWS = "head -n 10 /home/data/sample_submission.csv > /home/submission/submission.csv"
SAMPLE = "cp /home/data/sample_submission.csv /home/submission/submission.csv"
CHECK = "sh /home/validate_submission.sh /home/submission/submission.csv"


def terminal(command, **more):
    return Reply("On with it.", (ToolCall("terminal", {"command": command}),), **more)


def create(path, text):
    return Reply(tool_calls=(ToolCall("file_editor", {"command": "create", "path": path, "file_text": text}),))


LOOK = terminal("head -n 3 /home/data/*.csv; pwd")
END = Reply(tool_calls=(ToolCall("finish", {"message": "It is in place."}),))


@pytest.fixture
def smoke(installed):
    return installed("openhands/smoke")


def test_a_conversation_earns_a_medal_and_replays_to_the_same_submission(stage, smoke, solve_wine, tmp_path):
    code = solve_wine("/home/data", "/home/submission")
    train = [create("/home/code/train.py", code), terminal("python train.py")]
    talk = [LOOK, Reply("May I go on?"), *train, terminal(CHECK), END]
    tape = tmp_path / "tape.jsonl"
    played = stage.play(smoke, talk, mode="record", recording=tape, group="recorded")
    assert played.run.ending.reason is Reason.FINISHED, played.said
    assert played.run.verdict.medal is not None
    assert "Submission is valid." in played.asked[-1].text
    assert len(played.asked) == len(talk)
    tools = {tool["function"]["name"] for tool in played.asked[0].body["tools"]}
    assert tools == {"terminal", "file_editor", "finish", "think"}
    used = played.run.usage
    assert (used.input_tokens, used.output_tokens) == (played.reported.input, played.reported.output)
    assert len(list(played.folder.glob("logs/openhands/*/events/*.json"))) > len(talk)
    replayed = stage.play(smoke, [], mode="replay", recording=tape, group="replayed")
    assert replayed.asked == []
    assert replayed.submission == played.submission
    assert replayed.run.usage == used


def test_a_model_that_never_submits_and_reaches_nothing_but_the_gateway(stage, smoke):
    reach = "import socket; socket.create_connection(('192.0.2.1', 443), 3)"
    played = stage.play(smoke, [terminal(f'python -c "{reach}"; touch /usr/x; env'), END], protocol="anthropic")
    assert {asked.path for asked in played.asked} == {"/v1/messages"}
    seen = played.asked[-1].text
    assert "Network is unreachable" in seen
    assert "Read-only file system" in seen
    assert str(stage.folder) not in seen
    assert played.run.ending.reason is Reason.FINISHED
    assert played.run.verdict.outcome is Outcome.MISSING


def test_a_malformed_file_is_repaired_through_faults_and_kept_when_the_steps_are_over(stage, smoke):
    talk = [
        Reply("Slower.", status=429, headers={"Retry-After": "0"}),
        terminal(FEW_ROWS),
        terminal("cut", cut_after=20),
        terminal(CHECK),
        terminal(SAMPLE),
        terminal(CHECK),
    ]

    def script(asked):
        return talk[asked.number] if asked.number < len(talk) else terminal(f"echo {asked.number}")

    played = stage.play(smoke, script)
    assert "Submission invalid!" in played.asked[4].text
    assert "Submission is valid." in played.asked[6].text
    assert played.run.ending.reason is Reason.FINISHED, played.said
    assert "maximum iterations" in played.said
    assert len(played.asked) == 2 + int(smoke.declaration.environment["ITERATIONS"])
    assert played.run.verdict.outcome is Outcome.GRADED


def test_a_budget_keeps_the_submission(stage, smoke):
    played = stage.play(smoke, lambda asked: terminal(f"{SAMPLE}; echo {asked.number}"), requests=3)
    assert played.run.ending.reason is Reason.BUDGET
    assert len(played.asked) == 3
    assert played.run.verdict.outcome is Outcome.GRADED


def test_the_time_limit_ends_a_command_that_hangs(stage, smoke):
    played = stage.play(smoke, [terminal(SAMPLE), terminal("trap '' TERM; sleep 300 & sleep 300"), END], seconds=25)
    assert played.run.ending.reason is Reason.TIME
    assert played.run.verdict.outcome is Outcome.GRADED
    assert list(played.folder.glob("logs/openhands/*/events/*.json"))
