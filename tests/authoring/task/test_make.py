"""A table becomes a task that passes its check, runs, and can be shared; or the message says why not."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mlebench
from mlebench.authoring.task import make_task
from mlebench.battery import problems_of
from mlebench.errors import MLEBenchError, RawDataError, UnknownNameError, UsageError
from mlebench.tasks.registry import Registry

from .tables import GOOD, patients, tumours, wide, wines

ROOT = Path(__file__).resolve().parents[3]


CASES = {
    "auc": (tumours, {}),
    "logloss": (wines, {"id_column": "bottle", "embed": False}),
    "accuracy": (wines, {}),
    "rmse": (patients, {"embed": False, "title": "Sugar after a year"}),
    "pearson": (patients, {"test_size": 0.5}),
    "ap": (wide, {"target": "y"}),
}


@pytest.mark.parametrize("metric", CASES)
def test_a_new_task_passes_the_battery(metric, tmp_path):
    table, options = CASES[metric]
    options = {"target": "target", **options}
    table().to_csv(tmp_path / "own table.csv", index=False)
    made = make_task(tmp_path / "tasks" / "gq-task", tmp_path / "own table.csv", metric=metric, **options)
    (tmp_path / "scratch").mkdir()
    assert problems_of(made.folder, tmp_path / "scratch") == []
    assert made.train_rows + made.test_rows == len(table())
    assert os.listdir(tmp_path / "tasks") == ["gq-task"]  # noqa: PTH208
    competition = Registry(folders=(made.folder,)).get_competition("gq-task")
    assert competition.is_embedded == options.get("embed", True)
    board = competition.standings.scores
    assert len(board) >= 8
    assert competition.standings.is_better(board[0], board[-1])
    for brief in (competition.brief(), competition.brief(obfuscated=True)):
        assert 35 <= len(brief.splitlines()) <= 120
        assert max(map(len, brief.splitlines())) <= 130


REFUSED = {
    "no file": (None, {}, RawDataError, "no file"),
    "empty file": ("", {}, RawDataError, "is empty"),
    "header only": ("x,y\n", {}, RawDataError, "header and no rows"),
    "too few rows": ("x,y\n1,0\n2,1\n", {}, RawDataError, "has 2 rows"),
    "wrong encoding": (GOOD.replace("x", "gr\xf6\xdfe").encode("latin1"), {}, RawDataError, "iconv"),
    "semicolons": (GOOD.replace(",", ";"), {}, RawDataError, "semicolons"),
    "unnamed column": (GOOD.replace("x", ""), {}, RawDataError, "has no name"),
    "same names": (GOOD.replace("x,y", "y,y"), {}, RawDataError, "two columns named 'y'"),
    "longer rows": (GOOD.replace("x,y", "y"), {}, RawDataError, "more cells"),
    "ragged rows": (GOOD + "1,2,3\n", {}, RawDataError, "cannot be read as a CSV"),
    "missing column": (GOOD, {"target": "Y"}, UnknownNameError, "did you mean 'y'"),
    "missing ids": (GOOD, {"id_column": "row"}, UnknownNameError, "no column of own.csv named 'row'"),
    "repeated ids": (GOOD.replace("\n3,", "\n2,"), {"id_column": "x"}, RawDataError, "1 repeated value, such as '2'"),
    "ids are the target": (GOOD, {"id_column": "y"}, RawDataError, "cannot be both"),
    "constant target": (re.sub(",1", ",0", GOOD), {}, RawDataError, "same value in all rows"),
    "gaps in the target": (GOOD.replace("3,1", "3,"), {}, RawDataError, "missing in 4 of 40"),
    "text for rmse": (GOOD.replace(",1", ",yes"), {"metric": "rmse"}, RawDataError, "numbers .* such as 'yes'"),
    "text for auc": (GOOD.replace(",1", ",yes"), {}, RawDataError, "must be 0 or 1 .* 'yes'"),
    "fractions for accuracy": (GOOD.replace(",1", ",0.5"), {"metric": "accuracy"}, RawDataError, "not a class"),
    "too many classes": (GOOD, {"metric": "f1", "target": "x", "id_column": None}, RawDataError, "too many for"),
    "negative for rmsle": (GOOD.replace(",1", ",-1"), {"metric": "rmsle"}, RawDataError, "negative"),
    "rare class": (GOOD.replace(",1", ",0") + "99,1\n", {}, RawDataError, "so rare"),
    "unknown metric": (GOOD, {"metric": "acuracy"}, UnknownNameError, "did you mean 'accuracy'"),
    "metric of another form": (GOOD, {"metric": "dice_score"}, UsageError, "another form"),
    "test share": (GOOD, {"test_size": 20}, UsageError, "between 0 and 1"),
    "plain title": (GOOD, {"title": "Row"}, UsageError, "more specific"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_table_or_an_option_that_does_not_fit_is_refused_in_one_sentence(case, tmp_path, is_one_sentence):
    content, options, error, words = REFUSED[case]
    source = tmp_path / "own.csv"
    if content is not None:
        source.write_bytes(content if isinstance(content, bytes) else content.encode())
    options = {"target": "y", "metric": "auc", **options}
    with pytest.raises(error, match=words) as caught:
        make_task(tmp_path / "tasks" / "gq-task", source, **options)
    assert is_one_sentence(re.sub(r"\?$", ".", str(caught.value).replace(str(tmp_path), ""))), caught.value
    assert not list(tmp_path.rglob("gq-task"))


@pytest.mark.parametrize("name", ["My Task", "my_task", "-task", "t", "tàsk", "spaceship.titanic"])
def test_a_name_that_cannot_be_an_id_is_refused(name, tmp_path):
    (tmp_path / "own.csv").write_text(GOOD)
    with pytest.raises(UsageError, match="cannot be a competition's id"):
        make_task(tmp_path / name, tmp_path / "own.csv", "y", "auc")


def test_a_folder_that_exists_is_left_alone(tmp_path):
    (tmp_path / "own.csv").write_text(GOOD)
    (tmp_path / "gq-task").mkdir()
    with pytest.raises(MLEBenchError, match=r"a folder .*gq-task already"):
        make_task(tmp_path / "gq-task", tmp_path / "own.csv", "y", "auc")


def run(*words, cwd, **environment):
    """Run a program as a user does, and return what it printed."""
    known = {**os.environ, "XDG_CACHE_HOME": str(cwd / "cache"), **environment}
    result = subprocess.run([*map(str, words)], cwd=cwd, env=known, capture_output=True, text=True, timeout=400)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.slow("runs")
def test_from_a_table_to_a_graded_run(tmp_path):
    tumours().to_csv(tmp_path / "train.csv", index=False)
    own = [sys.executable, "-m", "mlebench"]
    made = run(*own, "new", "gq-task", "--from", "train.csv", "--target", "target", "--metric", "auc", cwd=tmp_path)
    steps = [line.split() for line in made.splitlines() if line.startswith("  mlebench ")]
    assert [words[1] for words in steps] == ["run", "dev"]
    for words in steps:  # what it says to do next
        run(*own, *words[1:], cwd=tmp_path)
    (submission,) = tmp_path.glob("runs/*/*/*/submission.csv")
    task = ["gq-task", "--folder", "gq-task"]
    assert "valid" in run(*own, "validate", submission, *task, cwd=tmp_path)
    report = json.loads(run(*own, "grade-sample", submission, *task, cwd=tmp_path))
    assert report["valid_submission"]
    assert report["score"] > 0.9
    assert run(sys.executable, "-m", "pytest", "-q", "gq-task", cwd=tmp_path).count("1 passed") == 1


@pytest.mark.slow("programs")
def test_tasks_are_shared_in_a_plugin_package_as_the_docs_show(tmp_path, require):
    """The package of docs/competitions.md, built and installed; then this repository's whole battery runs on it."""
    text = (ROOT / "docs" / "competitions.md").read_text(encoding="utf-8")
    (project,) = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    package = tmp_path / "my-tasks"
    (package / "my_tasks").mkdir(parents=True)
    (package / "pyproject.toml").write_text(project)
    (package / "my_tasks" / "__init__.py").touch()
    wines().to_csv(tmp_path / "wine.csv", index=False)
    make_task(package / "my_tasks" / "gq-task", tmp_path / "wine.csv", "target", "accuracy")
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--target", site, package]
    done = subprocess.run([*map(str, install)], capture_output=True, text=True, timeout=300)
    if done.returncode and "hatchling" in done.stderr:
        require("the package index, for hatchling, cannot be reached")
    assert done.returncode == 0, done.stderr
    path = f"{site}{os.pathsep}{Path(mlebench.__file__).parents[1]}"
    shown = run(sys.executable, "-m", "mlebench", "show", "gq-task", "--json", cwd=tmp_path, PYTHONPATH=path)
    assert json.loads(shown)["id"] == "gq-task"
    battery = [ROOT / "tests" / "competitions" / "test_all.py", "-k", "gq-task", "-p", "no:cacheprovider"]
    said = run(sys.executable, "-m", "pytest", "-q", "--rootdir", ROOT, *battery, cwd=tmp_path, PYTHONPATH=path)
    assert int(re.search(r"(\d+) passed", said)[1]) >= 20
