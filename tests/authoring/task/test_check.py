"""A new task passes its check; a broken one does not."""

import mlebench
from mlebench.authoring.task import make_task

from .tables import GOOD


def test_a_new_task_passes_until_it_is_broken(tmp_path):
    (tmp_path / "own.csv").write_text(GOOD)
    folder = make_task(tmp_path / "gq-task", tmp_path / "own.csv", "y", "auc").folder
    assert mlebench.check_task(folder) == []
    (folder / "leaderboard.csv").write_text("score\n0.1\n0.9\n")
    (problem,) = mlebench.check_task(folder)
    assert "not sorted" in problem


def test_a_folder_without_a_declaration_is_a_problem(tmp_path):
    (problem,) = mlebench.check_task(tmp_path)
    assert "competition.yaml" in problem
