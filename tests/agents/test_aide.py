"""AIDE against scripted conversations: drafts, reviews, and what is in place when it ends."""

import json

import pytest

from mlebench.gateway.scripted import Reply, ToolCall
from mlebench.reports import Outcome
from mlebench.sandbox.base import Reason

pytestmark = pytest.mark.timeout(600)  # the first test installs it
FIRST = "def put(rows):\n    lines = open('input/sample_submission.csv').readlines()[:rows]\n"
FIRST += "    open('working/submission.csv', 'w').writelines(lines)\n\n\n"


def draft(code):
    return Reply(f"The plan is simple.\n\n```python\n{code}\n```")


def rows(number, then=""):
    """Return a draft that writes so many lines of the sample."""
    return draft(f"{FIRST}put({number})\n{then}")


def review(metric, *, bug=False, **more):
    told = {"is_bug": bug, "summary": "As it says.", "metric": metric, "lower_is_better": True}
    return Reply(tool_calls=(ToolCall("submit_review", told),), **more)


@pytest.fixture
def smoke(installed):
    return installed("aide/smoke")


def journal(played):
    (path,) = played.folder.glob("logs/aide/*-run/journal.json")
    return json.loads(path.read_text())


def test_a_conversation_earns_a_medal_and_replays_to_the_same_submission(stage, smoke, solve_wine, tmp_path):
    """The best solution is neither the first nor the last; the last has a file of its own."""
    solution = draft(solve_wine("input", "working"))
    talk = [
        rows(None),
        review(0.9),
        solution,
        review(0.2),
        draft("1 / 0"),
        review(None, bug=True),
        rows(None),
        review(0.5),
    ]
    tape = tmp_path / "tape.jsonl"
    played = stage.play(smoke, talk, mode="record", recording=tape, group="recorded")
    assert played.run.ending.reason is Reason.FINISHED, played.said
    assert played.run.verdict.medal is not None
    assert len(played.asked) == len(talk)
    assert "ZeroDivisionError" in played.asked[6].body["messages"][0]["content"]
    used = played.run.usage
    assert (used.input_tokens, used.output_tokens) == (played.reported.input, played.reported.output)
    assert "GaussianProcess" in (played.folder / "code/solution.py").read_text()
    assert len(journal(played)["nodes"]) == 4
    assert 1 <= played.run.snapshots <= 2  # the first one may be replaced before it comes to rest
    replayed = stage.play(smoke, [], mode="replay", recording=tape, group="replayed")
    assert replayed.asked == []
    assert replayed.submission == played.submission
    assert replayed.run.usage == used


def test_solutions_that_submit_nothing(stage, smoke):
    reach = draft("import socket\n\nsocket.create_connection(('192.0.2.1', 443), 3)")
    played = stage.play(
        smoke, [reach, review(None, bug=True), *[draft("print('7')"), review(0.1)] * 3], protocol="anthropic"
    )
    assert {asked.path for asked in played.asked} == {"/v1/messages"}, played.said
    assert "Network is unreachable" in played.asked[1].text
    assert played.run.ending.reason is Reason.FINISHED, played.said
    assert played.run.verdict.outcome is Outcome.MISSING
    assert len(journal(played)["nodes"]) == 4


def test_a_malformed_file_is_repaired_through_faults(stage, smoke):
    """AIDE waits out what the gateway passes on, and its check keeps a bad file from replacing a good one."""
    check = "import subprocess\n\nprint(subprocess.getoutput('sh /home/validate_submission.sh working/submission.csv'))"
    talk = [
        Reply("Slower.", status=429, headers={"Retry-After": "0"}),
        rows(9, check),
        review(None, bug=True, cut_after=30),
        review(None, bug=True),
        rows(None, check),
        review(0.9),
        rows(9),
        review(0.1),
        Reply("No code here."),
        Reply("Nor here."),
        rows(None),
        Reply("No call of the tool."),
        draft("print('7')"),
        review(0.7),
    ]
    played = stage.play(smoke, talk)
    assert "Submission invalid!" in played.asked[3].text
    assert "Submission is valid." in played.asked[5].text
    assert "must be 72, one for each id" in played.said
    assert played.said.count("It is in place.") == 1
    assert played.run.ending.reason is Reason.FINISHED, played.said
    assert played.run.verdict.outcome is Outcome.GRADED


def test_limits_of_money_and_time_keep_the_best_solution(stage, smoke):
    talk = [rows(None), review(0.9)]

    def more(asked):
        return talk[asked.number] if asked.number < len(talk) else Reply("No code here.")

    played = stage.play(smoke, more, group="money", money=0.012)
    assert played.run.ending.reason is Reason.BUDGET
    assert len(played.asked) > len(talk)
    assert played.run.verdict.outcome is Outcome.GRADED
    talk = [rows(None), review(0.9), rows(9, "import time\n\ntime.sleep(1000)"), Reply("Well.", delay=100)]
    played = stage.play(smoke, talk, group="time", seconds=28)
    assert played.run.ending.reason is Reason.TIME
    assert "TimeoutError" in played.asked[3].text
    assert played.run.verdict.outcome is Outcome.GRADED
    assert len(journal(played)["nodes"]) == 1
