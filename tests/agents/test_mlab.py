"""The research agent against scripted conversations, from its first look at the data to its last step."""

import dataclasses

import pytest

from mlebench.agents.registry import get_agent
from mlebench.gateway.scripted import Reply
from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Reason

from .talks import MLAB, SUBMIT_FEW_ROWS, SUBMIT_SAMPLE, step, write

SAMPLE = SUBMIT_SAMPLE.replace("DATA", MLAB.data).replace("OUT", MLAB.out)


def execute(name="train.py"):
    return step("Execute Script", script_name=name)


LOOK = step("List Files", dir_path="data")
CHECK = step("Validate Submission", submission_path="submission/submission.csv")
END = step("Final Answer", final_answer="It is there.")


@pytest.fixture
def smoke():
    return get_agent(MLAB.name)


def test_one_that_never_submits(stage, smoke):
    understand = step("Understand File", file_name="data/train.csv", things_to_look_for="columns")
    played = stage.play(smoke, [LOOK, understand, "Eight columns.", END])
    assert played.run.ending.reason is Reason.FINISHED
    assert "sample_submission.csv" in played.asked[1].text
    assert "Eight columns." in played.asked[3].text
    assert played.run.verdict.outcome is Outcome.MISSING


def test_a_malformed_file_is_checked_and_repaired_and_does_not_replace_a_good_one(stage, smoke):
    few_rows = MLAB.run(SUBMIT_FEW_ROWS)
    played = stage.play(smoke, [*few_rows, CHECK, *MLAB.run(SAMPLE), CHECK, *few_rows, END])
    assert "Submission invalid!" in played.asked[3].text
    assert "Submission is valid." not in played.asked[4].text
    assert "Submission is valid." in played.asked[8].text
    assert played.run.ending.reason is Reason.FINISHED, played.said
    assert played.run.verdict.outcome is Outcome.GRADED
    assert played.run.salvaged is None
    assert list(played.folder.glob("code/*.py"))


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
