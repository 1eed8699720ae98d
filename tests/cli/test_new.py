from __future__ import annotations

from pathlib import Path

import pytest

from mlebench.authoring.task import NewTask
from mlebench.cli.new import _next_steps
from mlebench.errors import MLEBenchError

ROWS = "".join(f"{number},{number % 7},{number % 2}\n" for number in range(60))


@pytest.fixture
def table(tmp_path):
    (tmp_path / "train.csv").write_text("id,x,y\n" + ROWS)
    return tmp_path / "train.csv"


@pytest.mark.parametrize(
    ("embedded", "commands"),
    [
        (True, ["mlebench run", "mlebench dev check-task"]),
        (False, ["mlebench prepare", "mlebench run", "mlebench dev check-task"]),
    ],
)
def test_data_that_are_not_embedded_must_be_prepared_before_a_run(embedded, commands):
    made = NewTask(Path("own/my-task"), "my-task", "auc", embedded, 48, 12, sample_score=0.5, best_score=0.9)
    brief, *steps = _next_steps(made, Path("tables/train.csv"))
    assert "own/my-task/brief.md" in brief
    assert [step.split(" -")[0].removesuffix(" own/my-task") for step in steps] == [*commands]
    assert all("--raw tables" in step for step in steps if "prepare" in step)


@pytest.mark.parametrize(
    ("target", "metric", "words"), [("z", "auc", "'z'"), ("y", "acuracy", "accuracy"), ("y", "", "metric")]
)
def test_a_wrong_column_or_metric_leaves_no_folder(invoke, table, tmp_path, target, metric, words):
    error = invoke("new", "my-task", "--from", table, "--target", target, "--metric", metric).exception
    assert isinstance(error, MLEBenchError)
    assert words in str(error)
    assert not (tmp_path / "my-task").exists()


def test_a_table_that_does_not_exist_is_an_error(invoke):
    made = invoke("new", "my-task", "--from", "nowhere.csv", "--target", "y", "--metric", "auc")
    assert isinstance(made.exception, MLEBenchError)
    assert "nowhere.csv" in str(made.exception)
