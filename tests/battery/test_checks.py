"""The checks of the battery name each way in which a task is broken."""

import shutil

import pytest

from mlebench.authoring.task import make_task
from mlebench.battery import problems_of

from ..authoring.task.tables import GOOD

BROKEN = {
    "answers in the test set": ("task.py", "test.drop(columns=TARGET)", "test", "holds answers of test rows"),
    "a split by chance": ("task.py", "TEST_SIZE)", "TEST_SIZE, seed=int('first' in str(raw)))", "preparing twice"),
    "another name of the sample": ("task.py", '"sample_submission.csv"', '"sample.csv"', "did not write"),
    "a telltale title": ("brief_obfuscated.md", "# Prediction", "# Gq-task prediction", "gives the task away"),
    "no evaluation": ("brief.md", "## Evaluation", "## Score", "no section on evaluation"),
    "a refused sample": (
        "task.py",
        "assign(**{TARGET: 0.5})",
        "assign(**{TARGET: 2})",
        "sample submission is not graded",
    ),
    "ids that repeat": (
        "task.py",
        "number_shuffled(read_csv(raw / TABLE))",
        "read_csv(raw / TABLE).assign(id=1)",
        "id",
    ),
    "no rehearsal data": ("competition.yaml", "raw: make_raw\n", "", "rehearsal.zip"),
    "an unsorted leaderboard": ("leaderboard.csv", "score\n", "score\n0.001\n", "not sorted"),
}
"""What is broken: the file, the text, its replacement, and words of the problem."""


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    place = tmp_path_factory.mktemp("task")
    (place / "own.csv").write_text(GOOD)
    return make_task(place / "gq-task", place / "own.csv", "y", "auc").folder


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_task_is_named(case, task, tmp_path):
    name, old, new, words = BROKEN[case]
    broken = tmp_path / "gq-task"
    shutil.copytree(task, broken)
    text = (broken / name).read_text()
    assert old in text
    (broken / name).write_text(text.replace(old, new))
    (tmp_path / "scratch").mkdir()
    problems = problems_of(broken, tmp_path / "scratch")
    assert any(words in problem for problem in problems), problems


def test_missing_files_are_named_first(tmp_path):
    (problem,) = problems_of(tmp_path, tmp_path)
    assert "competition.yaml, task.py" in problem
