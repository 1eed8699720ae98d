"""AIDE against scripted conversations: drafts, reviews, what it tells of the data, what is in place at the end."""

import dataclasses
import json
import subprocess

import pytest

from mlebench.agents.environment import find_environment
from mlebench.gateway.scripted import Reply
from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Reason

from .talks import AIDE, SUBMIT_FEW_ROWS, SUBMIT_SAMPLE, review

pytestmark = pytest.mark.timeout(600)  # the first test installs it


@pytest.fixture
def smoke(installed):
    return installed(AIDE.name)


def journal(played):
    (path,) = played.folder.glob("logs/aide/*-run/journal.json")
    return json.loads(path.read_text())


def test_the_best_is_kept_with_its_code_and_a_failed_step_is_told(stage, smoke):
    """A metric that is no number is no improvement, though the package would take it for one."""
    mark = SUBMIT_SAMPLE + "# the best\n"
    odd = AIDE.run(SUBMIT_SAMPLE, float("nan"))
    played = stage.play(smoke, [*AIDE.run("1 / 0"), *AIDE.run(mark, 0.2), *odd, *AIDE.run(SUBMIT_SAMPLE, 0.5)])
    assert played.run.ending.reason is Reason.FINISHED, played.said
    assert "ZeroDivisionError" in played.asked[1].text
    assert "# the best" in (played.folder / "code/solution.py").read_text()
    assert played.said.count("Submitted.") == 1
    assert [node["is_buggy"] for node in journal(played)["nodes"]] == [True, False, True, False]
    assert "/home/submission" not in played.asked[0].text


def test_solutions_that_submit_nothing(stage, smoke):
    played = stage.play(smoke, [*AIDE.run("print('7')"), *AIDE.run("print('7')", 0.1) * 3], protocol="anthropic")
    assert {asked.path for asked in played.asked} == {"/v1/messages"}, played.said
    assert played.run.ending.reason is Reason.FINISHED, played.said
    assert played.run.verdict.outcome is Outcome.MISSING
    assert len(journal(played)["nodes"]) == 4


def test_a_malformed_file_is_repaired_through_faults(stage, smoke):
    """AIDE waits out what the gateway passes on, and its check keeps a bad file from replacing a good one."""
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
    assert "Submission invalid!" in played.asked[3].text
    assert "must be 72, one for each id" in played.said
    assert played.said.count("Submitted.") == 1
    assert played.run.ending.reason is Reason.FINISHED, played.said
    assert played.run.verdict.outcome is Outcome.GRADED


def test_a_solution_that_is_out_of_time_takes_what_it_started_with_it(stage, smoke):
    environment = smoke.declaration.environment | {"EXECUTION_SECONDS": "3", "STEPS": "2"}
    hurried = dataclasses.replace(smoke, declaration=smoke.declaration.model_copy(update={"environment": environment}))
    hangs = "import subprocess\n\nsubprocess.run(['sleep', '1234'])"
    looks = "import subprocess\n\nprint('LEFT', subprocess.getoutput('ps -e -o args | grep -c [s]leep.1234'), 'OVER')"
    played = stage.play(hurried, [*AIDE.run(hangs), *AIDE.run(looks, 0.5)])
    assert "TimeoutError" in played.asked[1].text
    assert "LEFT 0 OVER" in played.asked[3].text


def test_a_refusal_that_is_none_of_the_budget_ends_it_as_a_fault(stage, smoke):
    played = stage.play(smoke, [Reply("Not with this key.", status=403)])
    assert played.run.ending.reason is Reason.CRASHED
    assert "Not with this key." in played.said


def test_what_it_tells_of_the_data_has_bounds(smoke, tmp_path):
    for number in range(50):
        (tmp_path / f"patient_{number:02}").mkdir()
        (tmp_path / f"patient_{number:02}/table.csv").write_text("a,b\n1,2\n")
    (tmp_path / "lines.json").write_text('{"a": 1}\n{"a": 2}\n')
    (tmp_path / "latin.txt").write_bytes("é".encode("latin-1") * 40)
    (tmp_path / "odd.csv").write_bytes(b"\xff\xfe\x00")
    look = "import pathlib, preview, sys; preview.limit_preview()\n"
    look += "print(preview.data_preview.generate(pathlib.Path(sys.argv[1])))"
    python = str(find_environment(smoke).executable)
    said = subprocess.run([python, "-c", look, tmp_path], cwd=smoke.folder, capture_output=True, text=True, check=True)
    assert "... and 42 other folders" in said.stdout
    assert said.stdout.count("has 1 rows and 2 columns") == 8
    assert 'lines.json could not be read whole (JSONDecodeError); it begins:\n{"a": 1}' in said.stdout
    assert "odd.csv could not be read whole" in said.stdout
    assert "latin.txt (40 Bytes)" in said.stdout
