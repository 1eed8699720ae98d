"""The research agent against scripted conversations, from its first look at the data to its last limit."""

import dataclasses
import json

import pytest

from mlebench.agents.registry import get_agent
from mlebench.agents.rehearsal import Script
from mlebench.gateway.scripted import Reply
from mlebench.reports import Outcome
from mlebench.sandbox.base import Reason

MALFORMED = """
import pandas as pd
pd.read_csv("data/sample_submission.csv").iloc[:9].to_csv("submission/submission.csv", index=False)
"""
SAMPLE = "import shutil\nshutil.copy('data/sample_submission.csv', 'submission/submission.csv')"


def step(action, **arguments):
    """Return an answer in the agent's format."""
    head = (
        "Reflection: So far so good.\nResearch Plan and Status: **Look, train, submit.**\nFact Check: Nothing is new.\n"
    )
    return f"{head}Thought: On with it.\nAction: {action}\nAction Input: {json.dumps(arguments)}\n"


def write(name, code):
    """Return two answers: the step that has a script written, and the script."""
    asked = step("Edit Script (AI)", script_name=name, edit_instruction="As discussed.", save_name=name)
    return [asked, f"```python\n{code}\n```"]


def execute(name="train.py"):
    return step("Execute Script", script_name=name)


LOOK = step("List Files", dir_path="data")
CHECK = step("Validate Submission", submission_path="submission/submission.csv")
END = step("Final Answer", final_answer="It is there.")


@pytest.fixture
def solution(solve_wine):
    return write("train.py", solve_wine("data", "submission"))


@pytest.fixture
def smoke():
    return get_agent("mlab/smoke")


def test_a_conversation_earns_a_medal_and_replays_to_the_same_submission(stage, smoke, solution, tmp_path):
    understand = step("Understand File", file_name="data/train.csv", things_to_look_for="columns")
    talk = [LOOK, understand, "Eight columns.", *solution, execute(), CHECK, END]
    tape = tmp_path / "tape.jsonl"
    played = stage.play(smoke, talk, mode="record", recording=tape, group="recorded")
    assert played.run.ending.reason is Reason.FINISHED, played.said
    assert played.run.verdict.outcome is Outcome.GRADED
    assert played.run.verdict.medal is not None
    assert "sample_submission.csv" in played.asked[1].text
    assert "Submission is valid." in played.asked[-1].text
    assert len(played.asked) == len(talk) == len(played.calls)
    assert (played.run.usage.input_tokens, played.run.usage.output_tokens) == (
        played.reported.input,
        played.reported.output,
    )
    assert (played.folder / "code/train.py").is_file()
    again = stage.play(smoke, [], mode="replay", recording=tape, group="replayed")
    assert again.asked == []
    assert again.submission == played.submission
    assert again.run.verdict.score == played.run.verdict.score


def test_one_that_never_submits(stage, smoke):
    played = stage.play(smoke, [LOOK, END])
    assert played.run.ending.reason is Reason.FINISHED
    assert played.run.verdict.outcome is Outcome.MISSING


def test_a_malformed_file_is_checked_and_repaired(stage, smoke):
    talk = [*write("train.py", MALFORMED), execute(), CHECK, *write("train.py", SAMPLE), execute(), CHECK, END]
    played = stage.play(smoke, talk)
    assert "Submission is valid." not in played.asked[4].text
    assert "ids" in played.asked[4].text or "rows" in played.asked[4].text
    assert "Submission is valid." in played.asked[-1].text
    assert played.run.verdict.outcome is Outcome.GRADED


def test_what_is_not_valid_does_not_replace_what_is(stage, smoke):
    talk = [*write("a.py", SAMPLE), execute("a.py"), *write("b.py", MALFORMED), execute("b.py"), END]
    played = stage.play(smoke, talk)
    assert played.run.verdict.outcome is Outcome.GRADED
    assert played.run.salvaged is None


@pytest.mark.parametrize("retries", [0, 4])
def test_rate_limits_and_a_cut_connection_are_lived_through(stage, smoke, retries):
    """By the gateway, which tries again, and by the agent where the gateway gives up."""
    busy = Reply("Slow down.", status=429, headers={"Retry-After": "0"})
    talk = [busy, LOOK, Reply(LOOK, cut_after=60), *write("train.py", SAMPLE), Reply(cut_after=0), execute(), END]
    played = stage.play(smoke, talk, retries=retries)
    assert played.run.ending.reason is Reason.FINISHED, played.said
    assert played.run.verdict.outcome is Outcome.GRADED
    assert len(played.asked) == len(talk)
    assert len(played.calls) == (len(talk) if retries == 0 else len(talk) - 3)


def test_answers_out_of_form_are_asked_for_again(stage, smoke):
    broken = step("Execute Script", script="train.py")
    talk = [
        "I will look at the data.",
        step("Browse", dir_path="."),
        LOOK,
        broken,
        *write("train.py", SAMPLE),
        execute(),
        END,
    ]
    played = stage.play(smoke, talk)
    assert "in the format" in played.asked[1].text and "Reflection" in played.asked[1].text
    assert "none of the tools" in played.asked[2].text
    assert "ActionInputParsingError" in played.asked[4].text
    assert "ActionInputParsingError" not in played.asked[-1].text
    assert played.run.verdict.outcome is Outcome.GRADED


def test_a_model_that_never_keeps_to_the_format_ends_the_run(stage, smoke):
    played = stage.play(smoke, lambda asked: "Hello.")
    assert played.run.ending.reason is Reason.CRASHED
    assert len(played.asked) == 11
    assert "did not keep to the format" in played.said


def test_limits_of_time_and_money_keep_the_solution(stage, smoke):
    talk = [*write("train.py", SAMPLE), execute()]

    def script(asked):
        return talk[asked.number] if asked.number < len(talk) else LOOK

    spent = stage.play(smoke, script, money=0.013, group="money")
    assert spent.run.ending.reason is Reason.BUDGET
    assert spent.run.verdict.outcome is Outcome.GRADED
    long = [*write("train.py", SAMPLE + "\nimport time\ntime.sleep(1000)"), execute()]
    late = stage.play(smoke, long, seconds=15, group="time")
    assert late.run.ending.reason is Reason.TIME
    assert late.run.verdict.outcome is Outcome.GRADED
    assert late.run.salvaged is None
    assert late.submission is not None


def test_its_own_limit_of_steps_keeps_the_solution(stage, smoke):
    talk = [*write("train.py", SAMPLE), execute(), *[LOOK] * 20]
    played = stage.play(smoke, talk)
    assert played.run.ending.reason is Reason.FINISHED
    assert len(played.asked) == 13  # twelve steps, one of which asked twice
    assert "all 12 steps are used" in played.said
    assert played.run.verdict.outcome is Outcome.GRADED


def test_a_research_log_tells_what_is_not_shown_any_more(stage):
    agent = get_agent("mlab/retrieval")
    declaration = agent.declaration.model_copy(
        update={"environment": agent.declaration.environment | {"MAX_STEPS": "5"}}
    )

    def script(asked):
        if "for its research log" in asked.text:
            return "The data were listed."
        if "This is the research log" in asked.text:
            return "In short: the data were listed four times."
        return LOOK

    played = stage.play(dataclasses.replace(agent, declaration=declaration), script)
    assert "In short: the data" in [asked.text for asked in played.asked if "research problem" in asked.text][-1]
    assert (played.folder / "logs/research_log.log").read_text().count("The data were listed.") == 5


def test_a_long_observation_is_summarised(stage, smoke):
    talk = [*write("train.py", "print('7' * 15000)"), execute(), "Sevens.", "More sevens.", "Only sevens.", END]
    played = stage.play(smoke, talk)
    assert "Only sevens." in played.asked[-1].text
    assert "7777777" not in played.asked[-1].text


FROM_KAGGLE = ("spaceship-titanic", "leaf-classification", "nomad2018-predict-transparent-conductors")


@pytest.mark.timeout(900)
@pytest.mark.parametrize("sandbox", ["bubblewrap", "docker"])
def test_its_rehearsal_works_on_tasks_from_kaggle_too(stage, smoke, prepared, sandbox, request):
    if sandbox == "docker":
        request.getfixturevalue("docker")
    for competition in ("demo-wine", *FROM_KAGGLE):
        stage.competition = prepared(competition)
        played = stage.play(smoke, Script.of(smoke), sandbox=sandbox, group=competition)
        assert played.run.ending.reason is Reason.FINISHED, played.said
        assert played.run.verdict.outcome is Outcome.GRADED
        assert (played.run.usage.input_tokens, played.run.usage.output_tokens) == (
            played.reported.input,
            played.reported.output,
        )
