"""AIDE with scripted models: drafts, reviews, the description of the data, and the submission at the end."""

import dataclasses
import json
import subprocess

import pytest

from mlebench.agents.environment import find_environment
from mlebench.gateway.scripted import Reply
from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Reason

from .conversations import AIDE, SUBMIT_FEW_ROWS, SUBMIT_SAMPLE, review


@pytest.fixture
def smoke(installed):
    return installed(AIDE.name)


def journal(played):
    (path,) = played.folder.glob("logs/aide/*-run/journal.json")
    return json.loads(path.read_text())


def test_the_best_solution_is_kept_with_its_code_and_the_model_sees_failures(stage, smoke):
    """A score of NaN is not an improvement, although the package ranks it best."""
    mark = SUBMIT_SAMPLE + "# the best\n"
    odd = AIDE.run(SUBMIT_SAMPLE, float("nan"))
    played = stage.play(smoke, [*AIDE.run("1 / 0"), *AIDE.run(mark, 0.2), *odd, *AIDE.run(SUBMIT_SAMPLE, 0.5)])
    assert played.run.ending.reason is Reason.FINISHED, played.stdout
    assert "ZeroDivisionError" in played.requests[1].text
    assert "# the best" in (played.folder / "code/solution.py").read_text()
    assert played.stdout.count("Submitted.") == 1
    assert [node["is_buggy"] for node in journal(played)["nodes"]] == [True, False, True, False]
    assert "/home/submission" not in played.requests[0].text


def test_solutions_that_submit_nothing_leave_no_submission(stage, smoke):
    played = stage.play(smoke, [*AIDE.run("print('7')"), *AIDE.run("print('7')", 0.1) * 3], protocol="anthropic")
    assert {asked.path for asked in played.requests} == {"/v1/messages"}, played.stdout
    assert played.run.ending.reason is Reason.FINISHED, played.stdout
    assert played.run.verdict.outcome is Outcome.MISSING
    assert len(journal(played)["nodes"]) == 4


def test_an_invalid_file_is_repaired_despite_failures_of_the_model(stage, smoke):
    """AIDE retries failed requests, and an invalid file does not replace a valid submission."""
    few_rows, _ = AIDE.run(SUBMIT_FEW_ROWS)
    talk = [
        Reply("Slower.", status=429, headers={"Retry-After": "0"}),
        few_rows,
        review(None, bug=True, cut_after=30),
        review(None, bug=True),
        *AIDE.run(SUBMIT_SAMPLE, 0.9),
        few_rows,
        review(0.1),
        Reply("No code here."),
        Reply("Nor here."),
        *AIDE.run(SUBMIT_SAMPLE)[:1],
        Reply("No call of the tool."),
        *AIDE.run("print('7')", 0.7),
    ]
    played = stage.play(smoke, talk)
    assert "Submission invalid!" in played.requests[3].text
    assert "must be 72, one for each id" in played.stdout
    assert played.stdout.count("Submitted.") == 1
    assert played.run.ending.reason is Reason.FINISHED, played.stdout
    assert played.run.verdict.outcome is Outcome.GRADED


def test_a_solution_that_times_out_ends_with_its_processes(stage, smoke):
    environment = smoke.declaration.environment | {"EXECUTION_SECONDS": "3", "STEPS": "2"}
    hurried = dataclasses.replace(smoke, declaration=smoke.declaration.model_copy(update={"environment": environment}))
    hangs = "import subprocess\n\nsubprocess.run(['sleep', '1234'])"
    looks = "import subprocess\n\nprint('LEFT', subprocess.getoutput('ps -e -o args | grep -c [s]leep.1234'), 'OVER')"
    played = stage.play(hurried, [*AIDE.run(hangs), *AIDE.run(looks, 0.5)])
    assert "TimeoutError" in played.requests[1].text
    assert "LEFT 0 OVER" in played.requests[3].text


def test_a_refusal_for_another_reason_than_the_budget_is_a_crash(stage, smoke):
    played = stage.play(smoke, [Reply("Not with this key.", status=403)])
    assert played.run.ending.reason is Reason.CRASHED
    assert "Not with this key." in played.stdout


def test_the_description_of_the_data_is_limited(smoke, tmp_path):
    for number in range(50):
        (tmp_path / f"patient_{number:02}").mkdir()
        (tmp_path / f"patient_{number:02}/table.csv").write_text("a,b\n1,2\n")
    (tmp_path / "lines.json").write_text('{"a": 1}\n{"a": 2}\n')
    (tmp_path / "latin.txt").write_bytes("é".encode("latin-1") * 40)
    (tmp_path / "odd.csv").write_bytes(b"\xff\xfe\x00")
    look = "import pathlib, preview, sys; preview.limit_preview()\n"
    look += "print(preview.data_preview.generate(pathlib.Path(sys.argv[1])))"
    python = str(find_environment(smoke).executable)
    done = subprocess.run([python, "-c", look, tmp_path], cwd=smoke.folder, capture_output=True, text=True, check=True)
    assert "... and 42 other folders" in done.stdout
    assert done.stdout.count("has 1 rows and 2 columns") == 8
    assert 'lines.json could not be read whole (JSONDecodeError); it begins:\n{"a": 1}' in done.stdout
    assert "odd.csv could not be read whole" in done.stdout
    assert "latin.txt (40 Bytes)" in done.stdout
