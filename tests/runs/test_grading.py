import shutil

import pytest

from mlebench.grading.reports import Outcome
from mlebench.runs.grading import GradingProcess
from mlebench.tasks.registry import Registry

pytestmark = pytest.mark.slow("programs")

TASK = """
import os, sys, time
from mlebench.preparation import *

def grade(submission, answers):
    print("noise on standard output")
    if len(answers) != len(submission):
        raise AssertionError
    {fault}
"""


def own_task(tmp_path, ship, fault):
    """Return a custom task with a faulty grade function and the prepared data of the ship."""
    folder = tmp_path / "task"
    shutil.copytree(ship.folder, folder)
    declaration = (folder / "competition.yaml").read_text().replace("id: spaceship-titanic", "id: own")
    declaration = declaration.replace("metric: accuracy_score", "metric: accuracy_score\ngrade: grade")
    (folder / "competition.yaml").write_text(declaration)
    (folder / "task.py").write_text(TASK.format(fault=fault))
    shutil.copytree(ship.prepared_dir, tmp_path / "data" / "own" / "prepared")
    registry = Registry(tmp_path / "data", (folder,))
    return registry, registry.get_competition("own")


def test_one_process_grades_many(ship):
    with GradingProcess(Registry(ship.prepared_dir.parents[1])) as grading:
        first, second = (grading.judge(ship.sample_submission, ship) for _ in range(2))
        missing = grading.judge(ship.sample_submission.with_name("nothing.csv"), ship)
    assert first.score == second.score is not None
    assert missing.outcome is Outcome.MISSING


def test_a_grading_that_dies_fails_and_the_next_one_works(tmp_path, ship):
    registry, competition = own_task(tmp_path, ship, "os._exit(1)")
    with GradingProcess(registry) as grading:
        for _ in range(2):
            verdict = grading.judge(competition.sample_submission, competition)
            assert verdict.outcome is Outcome.FAILED
            assert "died" in verdict.reason


def test_a_grading_that_hangs_fails(tmp_path, ship):
    registry, competition = own_task(tmp_path, ship, "time.sleep(600)")
    with GradingProcess(registry, seconds=5) as grading:
        verdict = grading.judge(competition.sample_submission, competition)
    assert verdict.outcome is Outcome.FAILED


def test_a_grading_that_takes_too_much_memory_fails(tmp_path, ship):
    registry, competition = own_task(tmp_path, ship, "bytearray(2**40)")
    with GradingProcess(registry) as grading:
        verdict = grading.judge(competition.sample_submission, competition)
    assert verdict.outcome is Outcome.FAILED
    assert "MemoryError" in verdict.reason


def test_output_of_a_task_does_no_harm(tmp_path, ship):
    registry, competition = own_task(tmp_path, ship, "sys.stdout.flush(); os.write(1, b'noise'); return 0.25")
    with GradingProcess(registry) as grading:
        assert grading.judge(competition.sample_submission, competition).score == 0.25


def test_the_grading_process_ends_with_the_harness(ship):
    grading = GradingProcess(Registry(ship.prepared_dir.parents[1]))
    grading.judge(ship.sample_submission, ship)
    process = grading._process
    process.stdin.close()
    assert process.wait(timeout=120) == 0
