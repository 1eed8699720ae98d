"""A new task passes its check; each way to break it is named."""

import shutil

import pytest

import mlebench
from mlebench.authoring.task.make import make_task

from .tables import GOOD

BROKEN = {
    "answers in the test set": ("task.py", "test.drop(columns=TARGET)", "test", "holds answers of test rows"),
    "a split by chance": ("task.py", "TEST_SIZE)", "TEST_SIZE, seed=int('first' in str(raw)))", "preparing twice"),
    "another name of the sample": ("task.py", '"sample_submission.csv"', '"sample.csv"', "did not write"),
    "a telltale title": ("brief_obfuscated.md", "# Prediction", "# Gq-task prediction", "gives the task away"),
    "no evaluation": ("brief.md", "## Evaluation", "## Score", "no section on evaluation"),
    "an unsorted leaderboard": ("leaderboard.csv", "score\n", "score\n0.001\n", "not sorted"),
}
"""What is broken: the file, the text, its replacement, and words of the problem."""


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    place = tmp_path_factory.mktemp("task")
    (place / "own.csv").write_text(GOOD)
    return make_task(place / "gq-task", place / "own.csv", "y", "auc").folder


def test_a_new_task_passes_its_check(task):
    assert mlebench.check_task(task) == []


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_task_is_named(case, task, tmp_path):
    name, old, new, words = BROKEN[case]
    broken = tmp_path / "gq-task"
    shutil.copytree(task, broken)
    text = (broken / name).read_text()
    assert old in text
    (broken / name).write_text(text.replace(old, new))
    assert any(words in problem for problem in mlebench.check_task(broken))


def test_missing_files_are_named_first(tmp_path):
    (problem,) = mlebench.check_task(tmp_path)
    assert "competition.yaml, task.py" in problem
