"""The research agent with scripted models, from its first look at the data to its last step."""

import dataclasses

import pytest

from mlebench.agents.registry import get_agent
from mlebench.gateway.scripted import Reply
from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Reason

from .conversations import MLAB, SUBMIT_FEW_ROWS, SUBMIT_SAMPLE, step, write

SAMPLE = SUBMIT_SAMPLE.replace("DATA", MLAB.data).replace("OUT", MLAB.out)


def execute(name="train.py"):
    return step("Execute Script", script_name=name)


LOOK = step("List Files", dir_path="data")
CHECK = step("Validate Submission", submission_path="submission/submission.csv")
END = step("Final Answer", final_answer="It is there.")


@pytest.fixture
def smoke():
    return get_agent(MLAB.name)


def test_a_model_that_never_submits_leaves_no_submission(stage, smoke):
    understand = step("Understand File", file_name="data/train.csv", things_to_look_for="columns")
    played = stage.play(smoke, [LOOK, understand, "Eight columns.", END])
    assert played.run.ending.reason is Reason.FINISHED
    assert "sample_submission.csv" in played.requests[1].text
    assert "Eight columns." in played.requests[3].text
    assert played.run.verdict.outcome is Outcome.MISSING


def test_an_invalid_file_is_repaired_and_does_not_replace_a_valid_one(stage, smoke):
    few_rows = MLAB.run(SUBMIT_FEW_ROWS)
    played = stage.play(smoke, [*few_rows, CHECK, *MLAB.run(SAMPLE), CHECK, *few_rows, END])
    assert "Submission invalid!" in played.requests[3].text
    assert "Submission is valid." not in played.requests[4].text
    assert "Submission is valid." in played.requests[8].text
    assert played.run.ending.reason is Reason.FINISHED, played.stdout
    assert played.run.verdict.outcome is Outcome.GRADED
    assert played.run.salvaged is None
    assert list(played.folder.glob("code/*.py"))


@pytest.mark.parametrize("retries", [0, 4])
def test_rate_limits_and_cut_connections_are_retried(stage, smoke, retries):
    """The gateway retries; where it gives up, the agent does."""
    busy = Reply("Slow down.", status=429, headers={"Retry-After": "0"})
    talk = [busy, LOOK, Reply(LOOK, cut_after=60), *write("train.py", SAMPLE), Reply(cut_after=0), execute(), END]
    played = stage.play(smoke, talk, retries=retries)
    assert played.run.ending.reason is Reason.FINISHED, played.stdout
    assert played.run.verdict.outcome is Outcome.GRADED
    assert len(played.requests) == len(talk)
    assert len(played.calls) == (len(talk) if retries == 0 else len(talk) - 3)


def test_answers_that_are_not_in_the_format_are_asked_for_again(stage, smoke):
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
    assert "in the format" in played.requests[1].text and "Reflection" in played.requests[1].text
    assert "none of the tools" in played.requests[2].text
    assert "ActionInputParsingError" in played.requests[4].text
    assert "ActionInputParsingError" not in played.requests[-1].text
    assert played.run.verdict.outcome is Outcome.GRADED


def test_a_model_that_never_keeps_to_the_format_ends_the_run(stage, smoke):
    played = stage.play(smoke, lambda asked: "Hello.")
    assert played.run.ending.reason is Reason.CRASHED
    assert len(played.requests) == 11
    assert "did not keep to the format" in played.stdout


def test_the_limit_of_steps_keeps_the_submission(stage, smoke):
    talk = [*write("train.py", SAMPLE), execute(), *[LOOK] * 20]
    played = stage.play(smoke, talk)
    assert played.run.ending.reason is Reason.FINISHED
    assert len(played.requests) == 13  # twelve steps, one with two requests
    assert "all 12 steps are used" in played.stdout
    assert played.run.verdict.outcome is Outcome.GRADED


def test_the_research_log_summarises_steps_that_are_no_longer_shown(stage):
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
    assert "In short: the data" in [asked.text for asked in played.requests if "research problem" in asked.text][-1]
    assert (played.folder / "logs/research_log.log").read_text().count("The data were listed.") == 5


def test_a_long_observation_is_summarised(stage, smoke):
    talk = [*write("train.py", "print('7' * 15000)"), execute(), "Sevens.", "More sevens.", "Only sevens.", END]
    played = stage.play(smoke, talk)
    assert "Only sevens." in played.requests[-1].text
    assert "7777777" not in played.requests[-1].text
